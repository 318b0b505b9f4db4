// Command forms draws the objects of a small cluster, writes them as JSON and as protobuf with upstream's own encoders, and
// has kubectl-hpa read both: the cases must be the same to the byte. See ../README.md.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	var (
		seed   = flag.Uint64("seed", 1, "of what is drawn")
		count  = flag.Int("count", 10_000, "how many objects")
		vector = flag.Bool("vector", false, "print the lists in both forms instead")
		serve  = flag.Bool("serve", false, "play the cluster, and print the address, until standard input ends")
		judge  = flag.String("judge", "", "the `program` to run on the played cluster")
	)
	flag.Parse()
	var err error
	switch {
	case *vector:
		err = printVector(*seed, *count)
	case *serve:
		err = play(*seed, *count)
	default:
		err = hold(*judge, *seed, *count)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
