#include "model/names/package_name.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <stdint.h>

#include <cmocka.h>

static void packages_are_parts_of_names(void **state)
{
	static const struct {
		const char *function, *package;
	} cases[] = {
		{ "std::vector<int>::push_back(int&&)", "std" },
		{ "void net::Server::read<Chunk>(int, std::span<char>) const", "net" },
		{ "std::vector<int> net::f(int)", "net" },
		{ "std::__cxx11::basic_string<char> a::b()", "a" },
		{ "net::Server::run()::{lambda()#1}::operator()() const", "net" },
		{ "non-virtual thunk to node::(anonymous namespace)::Parser::OnStreamRead",
			"node" },
		{ "(anonymous namespace)::f()", "" },
		{ "Map<int, a::b>::find", "Map" },
		{ "operator new(unsigned long)", "" },
		{ "f(std::string)", "" },
		{ "main", "" },
		{ "", "" },
		{ "::", "" },
		{ "a::", "a" },
		{ "<alloc::vec::Vec<T> as core::fmt::Debug>::fmt", "alloc" },
		{ "<&mut tokio::net::TcpStream as std::io::Read>::read", "tokio" },
		{ "core::ops::function::FnOnce::call_once", "core" },
		{ "java.util.HashMap.get", "java" },
		{ "java/util/HashMap.get", "java" },
		{ "Ljava/util/HashMap;::get", "java" },
		{ "com.acme.shop.Cart.total", "com.acme" },
		{ "com/acme/shop/Cart::total", "com.acme" },
		{ "org.apache.lucene.search.IndexSearcher.search(int)", "org.apache" },
		{ "System.Collections.Generic.List`1::Add", "System" },
		{ "System.String::Concat", "System" },
		{ "runtime.mallocgc", "runtime" },
		{ "net/http.(*conn).serve", "net/http" },
		{ "encoding/json.Marshal", "encoding/json" },
		{ "github.com/acme/shop/cart.(*Cart).Total", "github.com/acme/shop" },
		{ "github.com/acme/shop.Total", "github.com/acme/shop" },
		{ "gopkg.in/yaml.Marshal", "gopkg.in/yaml" },
		{ "memcpy.constprop.0", "" },
		{ "foo.isra.3", "" },
		{ "foo.part.0.cold", "" },
		{ "x.0", "" },
		{ "__do_sys_read.cold", "" },
		{ "load /srv/lib/store.js:5:13", "" },
		{ "load lib/store.js:5:13", "" },
		{ "(anonymous) node:events:471:44", "" },
		{ "handler (app/views.py:10)", "" },
		{ "[unknown]", "" },
		{ "entry_SYSCALL_64_after_hwframe", "" },
		{ "größe::berechnen", "größe" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(cases); i++) {
		struct span package = package_name_of(span_of(cases[i].function));

		if (span_eq(package, SPAN("com/acme")))
			package = SPAN("com.acme");
		if (!span_eq(package, span_of(cases[i].package)))
			fail_msg("%s: \"%.*s\", not \"%s\"", cases[i].function, SPAN_ARG(package),
				cases[i].package);
	}
}

static void a_name_of_a_million_brackets_has_none(void **state)
{
	enum { N = 1000000 };
	char *name = malloc(N);

	(void)state;
	memset(name, '<', N);
	assert_int_equal(package_name_of((struct span){ name, N }).n, 0);
	assert_int_equal(package_name_of(SPAN("")).n, 0);
	free(name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(packages_are_parts_of_names),
		cmocka_unit_test(a_name_of_a_million_brackets_has_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
