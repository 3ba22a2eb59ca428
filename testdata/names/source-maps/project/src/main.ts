import { Circle, collatz, fibonacci } from "./math";

type Result = { name: string; value: number };

function measure(until: number): Result[] {
	const results: Result[] = [];

	while (Date.now() < until) {
		results.push({ name: "fibonacci", value: fibonacci(10) });
		results.push({ name: "circle", value: new Circle(2).area() });
		results.push({ name: "collatz", value: [27, 97, 871, 6171, 77031].map((n) => collatz(n)).length });
	}
	return results;
}

const seconds = Number(process.argv[2] ?? 1);
const results = measure(Date.now() + seconds * 1000);
console.log(results.length > 0);
