// Command vocabulary writes what the real Kubernetes and Go libraries make of many texts, one JSON array a line.
// Run it through ../regenerate.sh.
package main

import (
	"bufio"
	"encoding/json"
	"math/rand/v2"
	"os"
)

var (
	random = rand.New(rand.NewPCG(2026, 1121))
	out    = bufio.NewWriter(os.Stdout)
	seen   = map[string]bool{}
)

func main() {
	defer out.Flush()
	quantities()
	durations()
	times()
	selectors()
	labelSelectors()
	groupVersions()
}

// row writes one line, once.
func row(cells ...any) {
	line, err := json.Marshal(cells)
	if err != nil {
		panic(err)
	}
	if seen[string(line)] {
		return
	}
	seen[string(line)] = true
	out.Write(line)
	out.WriteByte('\n')
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func pick[T any](from ...T) T { return from[random.IntN(len(from))] }

func chance(percent int) bool { return random.IntN(100) < percent }

// letters gives up to most letters of an alphabet.
func letters(alphabet string, most int) string {
	runes := []rune(alphabet)
	result := []rune{}
	for range random.IntN(most + 1) {
		result = append(result, runes[random.IntN(len(runes))])
	}
	return string(result)
}

// spoil changes one letter of every few texts.
func spoil(s, alphabet string) string {
	if s == "" || chance(85) {
		return s
	}
	runes, extra := []rune(s), []rune(alphabet)
	at := random.IntN(len(runes))
	switch random.IntN(3) {
	case 0:
		runes[at] = extra[random.IntN(len(extra))]
	case 1:
		runes = append(runes[:at], runes[at+1:]...)
	default:
		runes = append(runes[:at], append([]rune{extra[random.IntN(len(extra))]}, runes[at:]...)...)
	}
	return string(runes)
}
