package main

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
)

var suffixes = []string{"", "", "", "n", "u", "m", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"}

// endless exponents make upstream compute powers of ten for hours.
var endless = regexp.MustCompile(`[eE][-+]?[0-9]{5}`)

func quantities() {
	known := []string{
		"", "0", "+", "-", ".", "-.", "k", "Ki", "Pi", ".Ei", "e5", "e-20", ".e-20", "1e", "1E", "1E5", "1e+5", "1e-5", "1e-9", "1e-10",
		"1.5", "1.500", "+1.500", "1.", "1.G", ".5", "-.5", "+.5Ki", "00.50", "0.1n", "-0.1n", "0.0000000000", "1ki", "1 ", " 1", "1\n", "1e1e1",
		"--1", "+-1", "1..2", "1.2.3", "0x1", "1_000", "9E", "10E", "1000E", "8Ei", "7Ei", "-8Ei", "9223372036854775807", "9223372036854775808",
		"-9223372036854775808", "-9223372036854775809", "9223372036854775807Ki", "-9223372036854775807Ki", "0.5Ki", "0.0001Ki", "1.1Ki",
		"1023.9Ki", "1025Ki", "1024Ki", "+5Ki", "05Ki", "5.Ki", "100Pi", "1Pi", "99Ti", "100Ti", "1e21", "1e400", "0e400", "0.0000000000000000000e400",
		"1e2147483647", "1e4294967295", "1e4294967299", "1e9223372036854775807", "1e9223372036854775808", "1e-9223372036854775808",
		"1.5e-2147483648", "10e2147483647", "1.0e2147483647", "0.057", "57m", "1000000000000000000000000", "999999999999999999", "9999999999999999999",
		"0.9999999999", "999999999.9999999999", "0.0009999999999999999999", "1n", "1000n", "1500u", "é", "1é", "1µ", "NaN", "Inf", "1e9999999999999999999999",
		strings.Repeat("9", 400), strings.Repeat("9", 300) + "." + strings.Repeat("9", 300), "1" + strings.Repeat("0", 320), "-" + strings.Repeat("7", 350) + "e-40",
		strings.Repeat("0", 300) + "1", "0." + strings.Repeat("0", 300) + "1", strings.Repeat("4", 250) + "Mi",
	}
	for _, s := range known {
		quantity(s)
	}
	for i := 1; i < 1000; i++ {
		quantity(fmt.Sprintf("0.%03d", i))
	}
	previous := "1"
	for range 14000 {
		s := spoil(someQuantity(), "0123456789.+-eEinumkKMGTP xé")
		if endless.MatchString(s) {
			continue
		}
		quantity(s)
		compare(previous, s)
		previous = s
	}
	for range 1500 {
		milli(someInt64())
	}
	for _, v := range []int64{0, 1, -1, 1000, math.MinInt64, math.MaxInt64, 300000000000, 300000001500, 314572800000, 1023999, 1024000, -1024000, 1 << 50} {
		milli(v)
	}
}

func quantity(s string) {
	q, err := resource.ParseQuantity(s)
	if err != nil {
		row("quantity", s, err.Error())
		return
	}
	trip := func(value []byte) string {
		var q resource.Quantity
		if err := json.Unmarshal(value, &q); err != nil {
			panic(err)
		}
		back, _ := json.Marshal(q)
		var s string
		_ = json.Unmarshal(back, &s)
		return s
	}
	quoted, _ := json.Marshal(s)
	row("quantity", s, "", q.MilliValue(), trip(quoted), bits(q.AsApproximateFloat64()), string(q.Format))
}

// compare leaves out exponents whose difference makes upstream run for minutes or divide by zero.
func compare(a, b string) {
	x, errX := resource.ParseQuantity(a)
	y, errY := resource.ParseQuantity(b)
	if errX != nil || errY != nil || math.IsInf(x.AsApproximateFloat64(), 0) || math.IsInf(y.AsApproximateFloat64(), 0) {
		return
	}
	row("compare", a, b, x.Cmp(y))
}

func milli(v int64) {
	for _, format := range []resource.Format{resource.DecimalSI, resource.BinarySI} {
		q := resource.NewMilliQuantity(v, format)
		row("milli", v, string(format), q.String(), q.MilliValue(), bits(q.AsApproximateFloat64()))
	}
}

func someQuantity() string {
	sign := pick("", "", "", "", "-", "-", "+")
	number := someNumber()
	switch random.IntN(6) {
	case 0:
		return sign + number + pick("e", "E") + pick("", "", "-", "+") + strconv.Itoa(random.IntN(pick(5, 12, 25, 40, 330)))
	default:
		return sign + number + pick(suffixes...)
	}
}

func someNumber() string {
	switch random.IntN(8) {
	case 0:
		return strconv.Itoa(random.IntN(pick(10, 100, 5000)))
	case 1: // near a power of two
		return near(new(big.Int).Lsh(big.NewInt(1), uint(random.IntN(70))))
	case 2: // near a power of ten
		return near(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(random.IntN(24))), nil))
	case 3:
		return digits(pick(3, 9, 17, 18, 19, 20, 25, 40))
	case 4:
		return digits(pick(1, 2, 9, 18)) + "." + digits(pick(0, 1, 3, 8, 9, 10, 12))
	case 5:
		return pick("", "0", "00") + "." + strings.Repeat("0", random.IntN(11)) + digits(pick(1, 3, 9))
	case 6:
		return strconv.Itoa(random.IntN(1000)) + strings.Repeat("0", random.IntN(22)) + pick("", "", ".", ".0", ".000")
	default:
		return strconv.Itoa(random.IntN(1<<pick(11, 20, 40)) * 1024)
	}
}

func near(n *big.Int) string {
	return new(big.Int).Abs(n.Add(n, big.NewInt(int64(random.IntN(5)-2)))).String()
}

func digits(most int) string {
	return letters(pick("0123456789", "0123456789", "09", "0001", "9"), most)
}

func someInt64() int64 {
	n := int64(random.Uint64()) >> random.IntN(64)
	return pick(n, n, n/1000*1000, n/1024*1024, n/1024000*1024000)
}

// bits spells a float exactly; what a not-a-number is made of depends on the processor.
func bits(v float64) string {
	if math.IsNaN(v) {
		return "NaN"
	}
	return fmt.Sprintf("%x", math.Float64bits(v))
}
