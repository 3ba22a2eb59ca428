#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <future>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <unordered_map>
#include <variant>
#include <vector>

template <int N> struct table {
	std::map<std::string, std::vector<int>> by_name;
	std::unordered_map<int, std::shared_ptr<std::set<std::string>>> by_number;
	std::variant<int, std::string, std::vector<double>> any;
	int add(const std::string &name, int v)
	{
		by_name[name].push_back(v * N);
		auto &s = by_number[v];
		if (!s)
			s = std::make_shared<std::set<std::string>>();
		s->insert(name);
		std::sort(by_name[name].begin(), by_name[name].end(), [](int a, int b) { return a % N < b % N; });
		return std::accumulate(by_name[name].begin(), by_name[name].end(), N);
	}
	std::string text() const
	{
		std::ostringstream o;
		for (auto &[k, v] : by_name)
			o << k << v.size() + N;
		return std::regex_replace(o.str(), std::regex("a(b|c)*d"), std::to_string(N));
	}
};

template <int... N> int all(std::integer_sequence<int, N...>, const std::string &s)
{
	return (table<N + 2>().add(s, N) + ...) + (table<N + 2>().text().size() + ...);
}

int run(const std::string &s)
{
	std::mt19937 r(s.size());
	auto f = std::async([&] { return std::filesystem::path(s).filename().string(); });
	return all(std::make_integer_sequence<int, 24>(), f.get()) + std::uniform_int_distribution<>(0, 9)(r);
}
