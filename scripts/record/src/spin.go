package main

import "time"

type number interface{ ~int | ~float64 }

func sum[T number](list []T) T {
	var s T
	for i := 0; i < 50; i++ {
		for _, x := range list {
			s = mix(s, x)
		}
	}
	return s
}

func mix[T number](a, b T) T { return twist(a, b) + 1 }

func twist[T number](a, b T) T { return a*3 + b }

type shape interface{ area() int }
type square struct{ side int }

//go:noinline
func (s *square) area() int { return sum(make([]int, s.side)) }

func main() {
	var shapes = []shape{&square{1000}, &square{2000}}
	end := time.Now().Add(300 * time.Millisecond)
	done := make(chan int)
	go func() {
		n := 0
		for time.Now().Before(end) {
			for _, s := range shapes {
				n += s.area()
			}
		}
		done <- n
	}()
	println(<-done, sum(make([]float64, 10)))
}
