# busy.py SECONDS: what scripts do: recursion, regular expressions, dictionaries, JSON.
# Prints each function that main() calls, and its share of the time that they took by the clock of the thread.
import json, re, sys, time


class Words:
    def __init__(self, text):
        self.words = re.findall(r"[a-z]+", text)

    def count(self):
        counts = {}
        for word in self.words:
            counts[word] = counts.get(word, 0) + 1
        return counts


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def words(n):
    return Words("the quick brown fox " * n).count()


def encode(n):
    return len(json.dumps({"n": [str(i) for i in range(n)]}))


def main():
    taken = {}
    end = time.time() + float(sys.argv[1])
    while time.time() < end:
        for function, n in (fib, 14), (words, 1000), (encode, 2000):
            start = time.thread_time()
            function(n)
            taken[function] = taken.get(function, 0) + time.thread_time() - start
    for function, seconds in taken.items():
        print(function.__name__, 100 * seconds / sum(taken.values()))


main()
