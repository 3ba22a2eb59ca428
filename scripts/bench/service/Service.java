// java Service.java SECONDS: an HTTP server and four clients of it in one process. Requests render, parse, search
// and sort texts.
import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.*;
import java.util.concurrent.*;
import java.util.regex.Pattern;
import java.util.stream.*;

public class Service {
	static final Map<String, List<String>> words = new ConcurrentHashMap<>();

	static String render(int n) {
		return IntStream.range(0, 50 + n % 50).mapToObj(i -> "{\"id\":" + i * n + ",\"name\":\"word" + i % 17 + "\"}")
			.collect(Collectors.joining(",", "[", "]"));
	}
	static String search(int n) {
		return Pattern.compile("\"id\":(\\d*" + n % 10 + ")\\b").matcher(render(n)).results().map(m -> m.group(1))
			.sorted(Comparator.comparing(String::length).thenComparing(Comparator.reverseOrder())).collect(Collectors.joining(" "));
	}
	static String count(int n) {
		for (String word : render(n).split("[^a-z0-9]+"))
			words.computeIfAbsent(word, w -> new CopyOnWriteArrayList<>()).add(word + n);
		if (words.size() > 2000)
			words.clear();
		return words.entrySet().stream().collect(Collectors.groupingBy(e -> e.getValue().size() % 7, TreeMap::new,
			Collectors.counting())).toString();
	}
	public static void main(String[] args) throws Exception {
		long end = System.nanoTime() + Long.parseLong(args[0]) * 1_000_000_000L;
		HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		server.createContext("/", exchange -> {
			int n = Integer.parseInt(exchange.getRequestURI().getQuery());
			byte[] answer = (n % 3 == 0 ? render(n) : n % 3 == 1 ? search(n) : count(n)).getBytes();
			exchange.sendResponseHeaders(200, answer.length == 0 ? -1 : answer.length);
			exchange.getResponseBody().write(answer);
			exchange.close();
		});
		server.setExecutor(Executors.newFixedThreadPool(4));
		server.start();
		HttpClient client = HttpClient.newHttpClient();
		URI uri = URI.create("http://" + server.getAddress().getHostString() + ":" + server.getAddress().getPort() + "/");
		ExecutorService clients = Executors.newFixedThreadPool(4);
		for (int i = 0; i < 4; i++) {
			int first = i;
			clients.submit(() -> {
				for (int n = first; System.nanoTime() < end; n += 4)
					client.send(HttpRequest.newBuilder(URI.create(uri + "?" + n)).build(), BodyHandlers.ofString());
				return null;
			});
		}
		clients.shutdown();
		clients.awaitTermination(1, TimeUnit.DAYS);
		System.exit(0);
	}
}
