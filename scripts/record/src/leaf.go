// leaf.go: leaf() calls nothing and has no frame, so only copied stacks have its caller.
package main

var sink int

//go:noinline
func leaf(n int) {
	for i := 0; i < n; i++ {
		sink += i * i
	}
}

//go:noinline
func middle(n int) { leaf(n); sink++ }

func main() {
	done := make(chan bool)
	go func() {
		middle(60000000)
		done <- true
	}()
	middle(60000000)
	<-done
}
