package oracle

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"
)

// object is a JSON object under construction. Its keys are written in sorted order, so the output is deterministic.
type object = map[string]any

// dice draws everything in a sequence from one seed.
type dice struct{ *rand.Rand }

func newDice(seed uint64) dice { return dice{rand.New(rand.NewPCG(seed, 0x6b756265))} }

// chance is true in the given share of all draws, in percent.
func (d dice) chance(percent float64) bool { return d.Float64()*100 < percent }

// between draws from both ends, inclusive.
func (d dice) between(low, high int64) int64 { return low + d.Int64N(high-low+1) }

func pick[T any](d dice, from ...T) T { return from[d.IntN(len(from))] }

// weighted draws an index by weight.
func (d dice) weighted(weights ...int) int {
	total := 0
	for _, w := range weights {
		total += w
	}
	n := d.IntN(total)
	for i, w := range weights {
		if n < w {
			return i
		}
		n -= w
	}
	return 0
}

// edge draws an instant at or right beside the given one.
func (d dice) edge(t time.Time) time.Time {
	return t.Add(pick(d, 0, 0, 0, time.Nanosecond, -time.Nanosecond, time.Second, -time.Second))
}

// Values far out of the ordinary: at the ends of int32 and int64 in units, thousandths and exponents.
var extremes = []string{
	"9223372036854775807", "9223372036854775.807", "9223372036854775807m", "9223372036854775808", "8Ei", "7.99Ei",
	"9.3E", "1e20", "123456789012345678901234567890", "1e-12", "0.0000000001", "4611686018427387904m",
	"4611686018427387.904", "1e18", "10E", "2147483647", "2147483648", "4294967296", "2147483648k", "1E", "2Pi",
	"9007199254740993", "9007199254740.993", "18446744073709551616m", "9223372036854775806m", "1.5Ei", "100e15",
}

var belowZero = []string{
	"0", "-0", "-1", "-1m", "-250m", "-5k", "-9223372036854775808", "-9223372036854775808m", "-1e20", "-0.5Ki", "-1n",
}

// quantity writes so many thousandths in one of the many notations that read back as this value.
func (d dice) quantity(milli int64) string {
	if milli == math.MinInt64 { // the one that has no opposite
		return itoa(milli) + "m"
	}
	if milli < 0 {
		return "-" + strings.TrimPrefix(d.quantity(-milli), "+")
	}
	switch d.weighted(56, 7, 6, 4, 4, 5, 4, 2, 2, 2, 2, 3, 2, 2) {
	case 1:
		return point(milli, 3, d.chance(50))
	case 2:
		if milli < 1<<40 {
			return pick(d, itoa(milli*1000)+"u", itoa(milli*1000000)+"n")
		}
	case 3:
		return itoa(milli) + pick(d, "e-3", "E-3", "e-03")
	case 4:
		return point(milli, 6, true) + pick(d, "k", "e3", "E3", "e+3")
	case 5:
		for _, s := range []struct {
			unit   int64
			suffix string
		}{{1 << 30, "Gi"}, {1 << 20, "Mi"}, {1 << 10, "Ki"}} {
			if milli > 0 && milli%(s.unit*1000) == 0 {
				return itoa(milli/1000/s.unit) + s.suffix
			}
		}
		return point(milli, 9, true) + "M"
	case 6:
		// Between the thousandths: rounded up to the next when it is read.
		if 0 < milli && milli < 1<<40 {
			return itoa((milli-1)*1000000+d.between(1, 999999)) + "n"
		}
	case 7:
		return point(milli, 3, false) + "000000000000000000"
	case 8:
		return "+" + point(milli, 3, true)
	case 9:
		return "000" + point(milli, 3, true)
	case 10:
		return pick(d, point(milli, 12, true)+"G", point(milli, 15, true)+"T", point(milli, 18, true)+"P")
	case 11:
		if milli < 900_000_000_000 {
			return point(milli*9765625, 13, true) + "Ki" // a 1024th has ten digits behind the point
		}
	case 12:
		if text := point(milli, 3, true); strings.HasPrefix(text, "0.") {
			return text[1:]
		} else if !strings.Contains(text, ".") {
			return text + "."
		}
	case 13:
		return pick(d, point(milli, 5, true)+"e2", point(milli, 12, true)+"e9", itoa(milli)+"000e-6", itoa(milli)+"00e-5")
	}
	return plain(milli)
}

// plain is the canonical notation of a value below a thousand units.
func plain(milli int64) string {
	if milli%1000 == 0 {
		return itoa(milli / 1000)
	}
	return itoa(milli) + "m"
}

// point writes the value with a decimal point so many digits from the right.
func point(value int64, digits int, trim bool) string {
	text := itoa(value)
	if len(text) <= digits {
		text = strings.Repeat("0", digits+1-len(text)) + text
	}
	whole, fraction := text[:len(text)-digits], text[len(text)-digits:]
	if trim {
		if fraction = strings.TrimRight(fraction, "0"); fraction == "" {
			return whole
		}
	}
	return whole + "." + fraction
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// ratio draws how a usage relates to its target: often at the very edge of the tolerance.
func (d dice) ratio(down, up float64) float64 {
	switch d.weighted(8, 12, 12, 10, 28, 22, 3, 3) {
	case 0:
		return 1
	case 1:
		return 1 + up
	case 2:
		return 1 - down
	case 3:
		return 0.9 + d.Float64()*0.2
	case 4:
		return d.Float64()
	case 5:
		return 1 + d.Float64()*2
	case 6:
		return 0
	}
	return 3 + d.Float64()*float64(pick(d, 10, 1000))
}

// near is a usage of about ratio times the target, sometimes one beside it.
func (d dice) near(target int64, ratio float64) int64 {
	value := int64(math.Round(float64(target) * ratio))
	if float64(value) < 0 || ratio > 1e6 {
		return target
	}
	return max(0, value+pick[int64](d, 0, 0, 0, 1, -1))
}
