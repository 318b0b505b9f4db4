package reader

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
)

var (
	day      = regexp.MustCompile(`\b\d{4}-\d\d-\d\d\b`)
	clock    = regexp.MustCompile(`\b\d\d:\d\d:\d\d\b`)
	duration = regexp.MustCompile(`\b(\d+h)?(\d+m)?(\d+(\.\d+)?s)\b|\b(\d+h)?(\d+m)\b|\b\d+h\b`)
	release  = regexp.MustCompile(`(needs|since|Kubernetes) 1\.\d+`)
	number   = regexp.MustCompile(`-?\d+(\.\d+)?(e\d+)?([kKMGTPE]i?|m)?\b`)
)

// wording holds the numbers of a text against the values: amounts in thousandths, ratios rounded, instants as clock times.
func wording(claim map[string]any, text string, w *World) (faults []string) {
	if strings.TrimSpace(text) == "" {
		return []string{"the text is empty"}
	}
	known := collected{at: w.At}
	for key, value := range claim {
		if key != "text" && key != "code" {
			known.collect(value)
		}
	}
	slices.SortFunc(known.texts, func(a, b string) int { return len(b) - len(a) })
	for _, quoted := range known.texts {
		if len(quoted) > 1 {
			text = strings.ReplaceAll(text, quoted, "_")
			text = strings.ReplaceAll(text, strings.ToUpper(quoted[:1])+quoted[1:], "_")
		}
	}
	for _, hole := range []string{"  ", " :", " ,", " ."} {
		if strings.Contains(text, hole) {
			faults = append(faults, "the text has a hole")
		}
	}
	text = strings.NewReplacer("int64", "_", "amd64", "_", "-9223372036854775808m", "_", "the default is 300", "_").Replace(text)
	text = release.ReplaceAllString(text, "_")
	for _, found := range clock.FindAllString(text, -1) {
		if !known.clocks[found] {
			faults = append(faults, fmt.Sprintf("no value is the instant %s of the text", found))
		}
	}
	text = clock.ReplaceAllString(text, "_")
	text = day.ReplaceAllStringFunc(text, func(found string) string {
		if known.clocks[found] {
			return "_"
		}
		return found
	})
	text = duration.ReplaceAllStringFunc(text, func(found string) string {
		if d, err := time.ParseDuration(found); err == nil && known.spans(d) {
			return "_"
		}
		return found
	})
	for _, found := range number.FindAllString(text, -1) {
		if !known.number(found) {
			faults = append(faults, fmt.Sprintf("no value is the number %s of the text", found))
		}
	}
	return faults
}

// collected are the values of a claim.
type collected struct {
	at      time.Time
	numbers []float64
	texts   []string
	clocks  map[string]bool
	times   []time.Time
	periods []time.Duration
}

func (c *collected) collect(value any) {
	switch it := value.(type) {
	case json.Number:
		n, _ := it.Float64()
		c.numbers = append(c.numbers, n)
		c.periods = append(c.periods, time.Duration(n)*time.Second)
	case string:
		c.text(it)
	case []any:
		// Of a long list a text has the first three, and how many more there are.
		c.numbers = append(c.numbers, float64(len(it)), float64(len(it)-3))
		for _, one := range it {
			if one == "no owner" { // of which there are none
				c.numbers = append(c.numbers, float64(len(it)-1))
			}
			c.collect(one)
		}
	case map[string]any:
		for _, one := range it {
			c.collect(one)
		}
	}
}

func (c *collected) text(it string) {
	if at, err := time.Parse(time.RFC3339Nano, it); err == nil {
		if c.clocks == nil {
			c.clocks = map[string]bool{}
		}
		c.times = append(c.times, at)
		c.clocks[at.Format(time.TimeOnly)] = true
		c.clocks[at.Format(time.DateOnly)] = true
		c.clocks[at.Add(time.Second-1).Format(time.TimeOnly)] = true
		return
	}
	if d, err := time.ParseDuration(it); err == nil {
		c.periods = append(c.periods, d)
		return
	}
	c.texts = append(c.texts, it)
}

// spans tells whether a duration is one of the values, or the age of one of the instants, rounded to a second.
func (c *collected) spans(d time.Duration) bool {
	for _, p := range c.periods {
		if p.Truncate(time.Second) == d || p == d || p.Round(time.Second) == d {
			return true
		}
	}
	for _, at := range c.times {
		// From an hour on the seconds are left out.
		if age := c.at.Sub(at).Abs(); age-d < time.Second && d-age <= time.Second || d >= time.Hour && age.Truncate(time.Minute) == d {
			return true
		}
	}
	return false
}

// number tells whether a number of the text is one of the values; 0, 1, 4 and 100 are words of fixed sentences.
func (c *collected) number(found string) bool {
	bare := strings.TrimRight(found, "kKMGTPEim")
	n, err := strconv.ParseFloat(bare, 64)
	if err != nil {
		return false
	}
	if n == 0 || n == 1 || n == 4 || n == 100 {
		return true
	}
	unit := 1.0
	if one, err := resource.ParseQuantity("1" + strings.TrimPrefix(found, bare)); err == nil {
		unit = one.AsApproximateFloat64()
	}
	for _, known := range c.numbers {
		for _, like := range []float64{known, known / 1000, 1 + known/100, 1 - known/100} {
			if close(n, like) || close(n, like/unit) || strings.HasSuffix(found, "i") && math.Abs(n-like/unit) < 0.01 {
				return true
			}
		}
		for _, other := range c.numbers {
			if close(n, known*(1+other/100)) || close(n, known*(1-other/100)) {
				return true
			}
		}
	}
	return false
}

// close allows for three digits.
func close(a, b float64) bool {
	return a == b || math.Abs(a-b) <= 0.0051*math.Max(1, math.Abs(b)) && math.Abs(a-b) < math.Max(0.0051, 0.0006*math.Abs(b))
}
