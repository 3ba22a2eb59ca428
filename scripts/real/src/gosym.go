// gosym.go: answers each address on standard input with the name that FILE's .gopclntab has for it.
package main

import (
	"bufio"
	"debug/elf"
	"debug/gosym"
	"fmt"
	"os"
	"strconv"
)

func main() {
	f, err := elf.Open(os.Args[1])
	if err != nil {
		panic(err)
	}
	text := f.Section(".text")
	lines := f.Section(".gopclntab")
	data, err := lines.Data()
	if err != nil {
		panic(err)
	}
	table, err := gosym.NewTable(nil, gosym.NewLineTable(data, text.Addr))
	if err != nil {
		panic(err)
	}
	out := bufio.NewWriter(os.Stdout)
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		at, _ := strconv.ParseUint(in.Text(), 0, 64)
		name := ""
		if fn := table.PCToFunc(at); fn != nil {
			name = fn.Name
		}
		fmt.Fprintln(out, name)
		out.Flush()
	}
}
