// busy.go [SECONDS]: what servers do: goroutines, channels, JSON, regular expressions, sorting, maps, garbage.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"
)

type order struct {
	Customer string         `json:"customer"`
	Items    map[string]int `json:"items"`
	Notes    []string       `json:"notes"`
}

var word = regexp.MustCompile(`([a-z]+)-(\d+)`)

func newOrder(n int) order {
	o := order{Customer: fmt.Sprintf("customer-%d", n), Items: map[string]int{}}
	for i := 0; i < 20; i++ {
		o.Items[fmt.Sprint("item-", (n*7+i*13)%101)] += i
		o.Notes = append(o.Notes, strings.Repeat("note ", i))
	}
	return o
}

func handle(o order) int {
	text, _ := json.Marshal(o)
	var back order
	if json.Unmarshal(text, &back) != nil {
		panic("not read back")
	}
	names := make([]string, 0, len(back.Items))
	for name := range back.Items {
		names = append(names, name)
	}
	sort.Slice(names, func(i, k int) bool { return names[i] < names[k] })
	total := 0
	for _, name := range names {
		total += len(word.FindStringSubmatch(name)[2])
	}
	return total
}

func main() {
	seconds := 1
	if len(os.Args) > 1 {
		seconds, _ = strconv.Atoi(os.Args[1])
	}
	end := time.Now().Add(time.Duration(seconds) * time.Second)
	orders := make(chan order, 16)
	var lock sync.Mutex
	var wait sync.WaitGroup
	total := 0
	for i := 0; i < 3; i++ {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for o := range orders {
				n := handle(o)
				lock.Lock()
				total += n
				lock.Unlock()
			}
		}()
	}
	for n := 0; time.Now().Before(end); n++ {
		orders <- newOrder(n)
	}
	close(orders)
	wait.Wait()
	println(total)
}
