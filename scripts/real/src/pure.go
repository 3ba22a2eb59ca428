// pure.go: Go without C: a server and clients of net/http, and sorting, for SECONDS.
package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"sort"
	"strconv"
	"time"
)

//go:noinline
func sorts(n int) string {
	v := make([]string, n)
	for i := range v {
		v[i] = strconv.Itoa(i * 7919 % 2003)
	}
	sort.Slice(v, func(a, b int) bool { return v[a] < v[b] })
	return v[n/2]
}

func main() {
	seconds := 1.5
	if len(os.Args) > 1 {
		seconds, _ = strconv.ParseFloat(os.Args[1], 64)
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintln(w, sorts(500))
	}))
	defer s.Close()
	end, n := time.Now().Add(time.Duration(seconds*1e9)), 0
	for time.Now().Before(end) {
		if r, err := http.Get(s.URL); err == nil {
			b, _ := io.ReadAll(r.Body)
			r.Body.Close()
			n += len(b)
		}
	}
	fmt.Println(n)
}
