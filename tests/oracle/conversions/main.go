// Command conversions prints what Go makes of floats that become integers on the architecture that it is built for.
package main

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// convert must not be folded by the compiler: what it folds is not what the processor does.
//
//go:noinline
func convert(value float64) (int32, int64) { return int32(value), int64(value) }

func main() {
	edges := []float64{0, math.Copysign(0, -1), 0.5, 1.9, math.NaN(), -math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, math.SmallestNonzeroFloat64}
	for _, power := range []int{31, 32, 33, 52, 53, 62, 63, 64} {
		edge := math.Ldexp(1, power)
		for _, near := range []float64{edge - 1, edge - 0.5, edge, edge + 0.5, edge + 1, math.Nextafter(edge, 0), math.Nextafter(edge, math.Inf(1))} {
			edges = append(edges, near, -near)
		}
	}
	random := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		edges = append(edges, math.Float64frombits(random.Uint64()), (random.Float64()-0.5)*math.Ldexp(1, 10+random.IntN(60)))
	}
	for _, value := range edges {
		int32, int64 := convert(value)
		fmt.Printf("%016x %d %d\n", math.Float64bits(value), int32, int64)
	}
}
