# busy.rb SECONDS: spends its time in known shares, and prints these.
def heavy(n) = (1..n).sum { |i| i % 7 * i }

def middle(n)
  s = +""
  n.times { |i| s << i.to_s }
  s.size
end

def light(n)
  s = 0
  i = 0
  while i < n
    s ^= i
    i += 1
  end
  s
end

def run(seconds)
  spent = Hash.new(0)
  now = -> { Process.clock_gettime(Process::CLOCK_THREAD_CPUTIME_ID) }
  stop = now.call + seconds
  while now.call < stop
    { heavy: 20_000, middle: 5_000, light: 10_000 }.each do |name, n|
      from = now.call
      send(name, n)
      spent[name] += now.call - from
    end
  end
  spent.each { |name, s| puts "#{name} #{100 * s / spent.values.sum}" }
end

run(ARGV[0].to_f)
