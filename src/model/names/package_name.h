/*
 * package_name.h - what a function's name says of where it comes from
 *
 *	std::vector<int>::push_back(int&&)         std
 *	<alloc::vec::Vec<T> as core::fmt::Debug>::fmt   alloc
 *	java.util.HashMap.get, java/util/HashMap::get   java
 *	com.acme.shop.Cart.total                   com.acme
 *	net/http.(*conn).serve                     net/http
 *	github.com/acme/shop/cart.Total            github.com/acme/shop
 *	System.String::Concat                      System
 *	main, memcpy.constprop.0, load /srv/a.js:5:13   nothing
 *
 * A namespace of C++, a crate of Rust, a package of Java (two parts of "com.", "org." and the like,
 * else one) or Go. A class without a namespace counts as one.
 *
 * Owns: nothing; the result is a part of the name. Threads: any.
 */
#ifndef PERFOLD_MODEL_NAMES_PACKAGE_NAME_H
#define PERFOLD_MODEL_NAMES_PACKAGE_NAME_H

#include "base/span.h"

struct span package_name_of(struct span function);

#endif
