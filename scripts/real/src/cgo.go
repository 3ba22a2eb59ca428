// cgo.go: Go that calls C, which burns, and C that calls Go back.
package main

/*
#include <stdint.h>
static volatile uint64_t c_sink;
static __attribute__((noinline)) void c_burn(uint64_t n) { for (uint64_t i = 0; i < n; i++) c_sink += i * i; }
static __attribute__((noinline)) void c_outer(uint64_t n) { c_burn(n); c_sink++; }
extern void goBack(uint64_t);
static __attribute__((noinline)) void c_back(uint64_t n) { goBack(n); c_sink++; }
*/
import "C"

import (
	"fmt"
	"os"
	"sort"
	"strconv"
	"time"
)

var sink uint64

//go:noinline
func goBurn(n uint64) {
	for i := uint64(0); i < n; i++ {
		sink += i * i
	}
}

//export goBack
func goBack(n C.uint64_t) { goBurn(uint64(n)) }

//go:noinline
func callC() { C.c_outer(300000) }

//go:noinline
func callBack() { C.c_back(300000) }

//go:noinline
func sorts() {
	v := make([]string, 2000)
	for i := range v {
		v[i] = strconv.Itoa(i * 7919 % 2003)
	}
	sort.Strings(v)
	sink += uint64(len(v[0]))
}

func main() {
	seconds := 1.5
	if len(os.Args) > 1 {
		seconds, _ = strconv.ParseFloat(os.Args[1], 64)
	}
	end := time.Now().Add(time.Duration(seconds * 1e9))
	for time.Now().Before(end) {
		callC()
		callBack()
		goBurn(300000)
		sorts()
	}
	fmt.Println(sink)
}
