/* What a compiler has to do with the C++ library: each number makes all of this anew. */
#include <algorithm>
#include <functional>
#include <future>
#include <iostream>
#include <map>
#include <memory>
#include <random>
#include <ranges>
#include <regex>
#include <sstream>
#include <string>
#include <tuple>
#include <unordered_map>
#include <variant>
#include <vector>

template <int N> struct thing {
	int key[N + 1];
	std::string name;
	auto operator<=>(const thing &) const = default;
};

template <int N> using either = std::variant<thing<N>, std::vector<thing<N>>, std::map<int, thing<N>>>;

template <int N> int sorted(std::vector<thing<N>> &things)
{
	std::sort(things.begin(), things.end());
	std::stable_sort(things.begin(), things.end(), [](auto &a, auto &b) { return a.name < b.name; });
	std::ranges::sort(things, std::ranges::greater{}, [](auto &t) { return t.key[N]; });
	std::unordered_map<std::string, std::unique_ptr<thing<N>>> by_name;
	for (auto &t : things)
		by_name.emplace(t.name, std::make_unique<thing<N>>(t));
	auto names = things | std::views::filter([](auto &t) { return t.key[0] > N; }) |
		     std::views::transform([](auto &t) { return t.name.size(); }) | std::views::take(N + 2);
	return int(std::ranges::distance(names)) + int(by_name.size());
}

template <int N> int matched(const std::string &text)
{
	std::basic_regex<char> pattern("(a|b)*c{" + std::to_string(N) + "}");
	std::vector<thing<N>> things;
	for (std::sregex_iterator i(text.begin(), text.end(), pattern), end; i != end; ++i)
		things.push_back({{int(i->position())}, i->str()});
	std::shuffle(things.begin(), things.end(), std::mt19937(N));
	either<N> e = things;
	auto later = std::async(std::launch::deferred, [&] { return sorted<N>(things); });
	return later.get() + std::visit([](auto &v) { return int(sizeof(v)); }, e);
}

template <int... N> int all(const std::string &text, std::integer_sequence<int, N...>)
{
	return (matched<N>(text) + ...);
}

int main(int argc, char **argv)
{
	return all(argv[argc - 1], std::make_integer_sequence<int, 6>{});
}
