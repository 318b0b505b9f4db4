package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// deepest is how deep an object is filled; what lies deeper stays zero.
const deepest = 7

// drawer draws the values of fields.
type drawer struct{ *rand.Rand }

func newDrawer(seed uint64) drawer { return drawer{rand.New(rand.NewPCG(seed, 20))} }

func (d drawer) oneIn(n int) bool { return d.IntN(n) == 0 }

// fill draws every field below a value: absent, empty, zero, usual and large.
func (d drawer) fill(v reflect.Value, depth int) {
	switch at := v.Addr().Interface().(type) {
	case *metav1.Time:
		*at = d.time()
		return
	case *metav1.MicroTime:
		at.Time = d.time().Time
		return
	case *metav1.Duration:
		at.Duration = time.Duration(d.integer())
		return
	case *resource.Quantity:
		*at = d.quantity()
		return
	case *intstr.IntOrString:
		*at = intstr.FromString(d.word())
		return
	case *metav1.FieldsV1:
		at.Raw = []byte(`{"f:spec":{"f:containers":{}},"f:status":{}}`)
		return
	case *metav1.TypeMeta: // the encoders fill it in
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if depth < deepest && !d.oneIn(3) {
			v.Set(reflect.New(v.Type().Elem()))
			d.fill(v.Elem(), depth+1)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				d.fill(v.Field(i), depth+1)
			}
		}
	case reflect.Slice:
		if length := d.length(depth); length >= 0 {
			v.Set(reflect.MakeSlice(v.Type(), length, length))
			for i := range length {
				d.fill(v.Index(i), depth+1)
			}
		}
	case reflect.Map:
		if length := d.length(depth); length >= 0 {
			v.Set(reflect.MakeMap(v.Type()))
			for range length {
				key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
				d.fill(key, depth+1)
				d.fill(value, depth+1)
				v.SetMapIndex(key, value)
			}
		}
	case reflect.String:
		v.SetString(d.word())
	case reflect.Bool:
		v.SetBool(d.oneIn(2))
	case reflect.Int32:
		v.SetInt(int64(int32(d.integer())))
	case reflect.Int64, reflect.Int:
		v.SetInt(d.integer())
	case reflect.Uint8:
		v.SetUint(uint64(d.IntN(256)))
	default:
		panic(fmt.Sprint("nothing draws a ", v.Type()))
	}
}

// length of a list; -1 stands for none at all.
func (d drawer) length(depth int) int {
	if depth >= deepest {
		return -1
	}
	return [...]int{-1, -1, 0, 1, 1, 2, 4}[d.IntN(7)]
}

var words = []string{
	"", "", "app", "web", "sidecar", "cpu", "memory", "ephemeral-storage", "hugepages-2Mi", "example.com/gpu", "Always", "Never",
	"Running", "Pending", "Failed", "True", "False", "Unknown", "Ready", "PodScheduled", "Initialized", "Unschedulable", "pod-template-hash",
	"größe", "名前", "🙂", "a b", `"quoted" \ back`, "line\nfeed", "<&>", "\u2028", "\x00", "k8s\x00", "\xff", "bad\xc3(\xed\xa0\x80end\xf0\x9f\x99",
	"f:spec", "null", "{}", "a-very-long-name-of-which-there-are-more-than-one-hundred-and-twenty-seven-bytes-so-that-its-length-takes-two-bytes-of-a-number-to-write",
}

func (d drawer) word() string {
	word := words[d.IntN(len(words))]
	if d.oneIn(4) {
		word += words[d.IntN(len(words))]
	}
	return word
}

func (d drawer) integer() int64 {
	edges := [...]int64{0, 1, -1, 127, 128, 300, math.MaxInt32, math.MinInt32, math.MaxInt64, math.MinInt64, 1_000_000_000, 15_000_000_000}
	if d.oneIn(2) {
		return edges[d.IntN(len(edges))]
	}
	return int64(d.Uint64() >> d.IntN(64))
}

// time draws any time that RFC 3339 has, to the nanosecond and in any zone.
func (d drawer) time() metav1.Time {
	const first, last = -62_135_596_800, 253_402_300_799 // of the years 1 and 9999
	switch d.IntN(6) {
	case 0:
		return metav1.Time{}
	case 1:
		return metav1.Unix([...]int64{0, 1, -1, first, first + 1, last}[d.IntN(6)], 0)
	case 2:
		return metav1.Unix(first+d.Int64N(last-first), d.Int64N(1_000_000_000))
	}
	zone := time.FixedZone("", 60*(d.IntN(24*60)-12*60))
	return metav1.NewTime(time.Unix(1_790_000_000+d.Int64N(10_000_000), d.Int64N(1_000_000_000)).In(zone))
}

var quantities = []string{
	"0", "-0", "+1", "1", "100m", "250m", "1500m", "1.5", "1.500", "+1.500", "01", "-7", "-250m", "0.5Gi", "1Gi", "1024Mi", "1000Mi", "128974848", "129e6",
	"129M", "123Mi", "1e3", "1E3", "1e-3", "12E", "1e-9", "1n", "1u", "0.0000000001", "-1e-12", "9223372036854775807", "9223372036854775808",
	"-9223372036854775808", "12345678901234567890Ki", "99999999999999999999999999", "1e30", "-1.5e21", "100000000000000000000n", "3.1415926535897932", "8Ei", "-8Ei",
	"1k", "1000", "1000000m", "0.001", "2047", "10E", "5e0", "1_"[:1],
}

func (d drawer) quantity() resource.Quantity {
	suffixes := [...]string{"n", "u", "m", "", "k", "M", "G", "T", "P", "Ki", "Mi", "Gi", "Ti", "e2", "E-2", "e9"}
	switch d.IntN(8) {
	case 0:
		return resource.Quantity{}
	case 1:
		return *resource.NewMilliQuantity(d.integer(), resource.DecimalSI)
	case 2:
		return *resource.NewQuantity(d.integer(), resource.BinarySI)
	case 3, 4:
		return resource.MustParse(quantities[d.IntN(len(quantities))])
	case 5:
		sum := resource.MustParse(quantities[d.IntN(len(quantities))])
		sum.Add(resource.MustParse(quantities[d.IntN(len(quantities))]))
		return sum
	}
	number := fmt.Sprint(d.IntN(100_000))
	if d.oneIn(3) {
		number = fmt.Sprintf("%d.%03d", d.IntN(1000), d.IntN(1000))
	}
	return resource.MustParse(number + suffixes[d.IntN(len(suffixes))])
}
