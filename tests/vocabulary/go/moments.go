package main

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func durations() {
	known := []string{
		"", "0", "+0", "-0", "+", "-", "5m0s", "1.5h", "300ms", "30s", "1h30m", "-2m", ".5s", "5.s", ".s", "-.s", "1", "1.5", "1x", "1é", "1s1", "1h2", " 1s", "1s ",
		"9223372036854775807ns", "-9223372036854775808ns", "9223372036854775808ns", "-9223372036854775809ns", "9223372036854775808ns9223372036854775808ns",
		"2562047h47m16.854775807s", "2562047h47m16.854775808s", "-2562047h47m16.854775808s", "0.100000000000000000000h", "0.9223372036854775807h", "0.3333333333333333333h",
		"1us", "1µs", "1μs", "1.0000000001s", "\"1s", "1\"s", "1\\s", "\x01", "1\u00a0s", "1\ufffd", "1d", "1w", "1H", "1S", "3000000h", "1e3s", "--1s", "1.2.3s", "1m1m", "0.000000001s", "9999999999999999999s",
	}
	for _, s := range known {
		duration(s)
	}
	for range 4000 {
		s := pick("", "", "-", "+")
		for range 1 + random.IntN(3) {
			s += strconv.Itoa(random.IntN(pick(1, 10, 100, 100000)))
			if chance(40) {
				s += "." + digits(pick(1, 3, 9, 12, 22))
			}
			s += pick("h", "m", "s", "s", "ms", "us", "µs", "ns")
		}
		duration(spoil(s, "0123456789.hmsnuµd-+é\""))
	}
	for range 500 {
		d := metav1.Duration{Duration: time.Duration(someInt64())}
		duration(d.Duration.String())
	}
}

func duration(s string) {
	d, err := time.ParseDuration(s)
	if err != nil {
		row("duration", s, err.Error())
		return
	}
	printed, _ := json.Marshal(metav1.Duration{Duration: d})
	row("duration", s, "", int64(d), strings.Trim(string(printed), `"`))
}

func times() {
	known := []string{
		"", "null", "2026-11-21T10:42:00Z", "2026-11-21T10:42:00.000000001Z", "2026-11-21T10:42:00,5Z", "2026-11-21t10:42:00z", "2026-11-21T10:42:00z", "2026-11-21 10:42:00Z",
		"2026-11-21T1:42:00Z", "2026-1-21T10:42:00Z", "2026-11-2T10:42:00Z", "2026-02-29T00:00:00Z", "2024-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2000-02-29T00:00:00Z",
		"0000-01-01T00:00:00Z", "0000-01-01T00:00:00+23:59", "9999-12-31T23:59:59.999999999Z", "9999-12-31T23:59:59-23:59", "0001-01-01T00:00:00Z", "0001-01-01T00:00:00.5Z",
		"2026-11-21T24:00:00Z", "2026-11-21T10:60:00Z", "2026-11-21T10:42:60Z", "2026-13-21T10:42:00Z", "2026-00-21T10:42:00Z", "2026-11-00T10:42:00Z", "2026-11-31T10:42:00Z",
		"2026-11-21T10:42:00", "2026-11-21T10:42Z", "2026-11-21", "2026-11-21T10:42:00+24:00", "2026-11-21T10:42:00+25:00", "2026-11-21T10:42:00+23:60", "2026-11-21T10:42:00+23:61",
		"2026-11-21T10:42:00+0100", "2026-11-21T10:42:00+01", "2026-11-21T10:42:00x01:00", "2026-11-21T10:42:00+01:00Z", "2026-11-21T10:42:00ZZ", "2026-11-21T10:42:00.Z",
		"2026-11-21T10:42:00.1234567890123Z", "2026-11-21T10:42:00.9999999999Z", "+026-11-21T10:42:00Z", "20a6-11-21T10:42:00Z", "12026-11-21T10:42:00Z", "1\"\\é", "2026-11-21T10:42:00é",
		"2026-11-21T10:42:00+1é:00", "2026-11-21T10:42:00é1:00", "1969-12-31T23:59:59.999999999Z", "1970-01-01T00:00:00Z", "2026-11-21T10:42:00-00:00", "2026-11-21T10:42:0Z", "2026-11-21T10:4:00Z",
	}
	for _, s := range known {
		moment(s)
	}
	previous, _ := time.Parse(time.RFC3339, "2026-11-21T10:42:00Z")
	for range 4000 {
		s := fmt.Sprintf("%04d-%02d-%02dT%02d:%02d:%02d", pick(random.IntN(10000), 2026, 1970, 0, 9999), 1+random.IntN(12), 1+random.IntN(pick(28, 31)), random.IntN(24), random.IntN(60), random.IntN(60))
		if chance(50) {
			s += "." + digits(pick(3, 9, 12))
		}
		if chance(60) {
			s += "Z"
		} else {
			s += pick("+", "-") + fmt.Sprintf("%02d:%02d", random.IntN(24), random.IntN(60))
		}
		s = spoil(s, "0123456789.,:-+TZ zé")
		t, ok := moment(s)
		if ok {
			d := time.Duration(someInt64())
			row("shift", s, int64(d), t.Add(d).UTC().Format(time.RFC3339Nano), previous.UTC().Format(time.RFC3339Nano), int64(t.Sub(previous)), t.Compare(previous))
			if year := t.UTC().Year(); year >= 0 && year <= 9999 {
				previous = t
			}
		}
	}
}

func moment(s string) (time.Time, bool) {
	quoted, _ := json.Marshal(s)
	var t metav1.Time
	if err := json.Unmarshal(quoted, &t); err != nil {
		row("time", s, err.Error())
		return t.Time, false
	}
	printed, _ := json.Marshal(t)
	row("time", s, "", t.Unix(), t.Nanosecond(), string(printed), t.UTC().Format(time.RFC3339Nano))
	return t.Time, true
}
