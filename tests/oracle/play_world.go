package oracle

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/bits"
)

// worldFile is the WORLD of plays.md.
type worldFile struct {
	Syncs      int   `json:"syncs"`
	SyncPeriod int64 `json:"syncPeriod"`
	Metrics    struct {
		Resolution int64 `json:"resolution"`
		First      int64 `json:"first"`
		Lag        int64 `json:"lag"`
		Readings   int64 `json:"readings"`
	} `json:"metrics"`
	Loads       []loadFile     `json:"loads"`
	Template    raw            `json:"template"`
	Delays      []delayFile    `json:"delays"`
	Termination int64          `json:"termination"`
	Existing    []existingFile `json:"existing"`
	Rollout     *struct {
		At          int64 `json:"at"`
		Surge       int64 `json:"surge"`
		Unavailable int64 `json:"unavailable"`
	} `json:"rollout"`
}

type loadFile struct {
	Container string       `json:"container"`
	Resource  string       `json:"resource"`
	Metric    *int         `json:"metric"`
	Demand    int64        `json:"demand"`
	Curve     *curveFile   `json:"curve"`
	Spread    string       `json:"spread"`
	Idle      int64        `json:"idle"`
	Ceiling   *int64       `json:"ceiling"`
	Starting  int64        `json:"starting"`
	Backlog   *backlogFile `json:"backlog"`
}

type curveFile struct {
	Points [][2]int64 `json:"points"`
	Repeat int64      `json:"repeat"`
}

type backlogFile struct {
	Start int64 `json:"start"`
	Rate  int64 `json:"rate"`
}

type delayFile struct {
	Scheduled int64 `json:"scheduled"`
	Running   int64 `json:"running"`
	Ready     int64 `json:"ready"`
}

type existingFile struct {
	Name      string `json:"name"`
	Scheduled *int64 `json:"scheduled"`
	Running   *int64 `json:"running"`
	Ready     *int64 `json:"ready"`
	Gone      *int64 `json:"gone"`
	Silent    bool   `json:"silent"`
}

func readWorld(line []byte) (*worldFile, error) {
	world := &worldFile{}
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(world); err != nil {
		return nil, err
	}
	m := world.Metrics
	if world.Syncs < 1 || world.SyncPeriod < 1 || m.Resolution < 1 || m.First < 1 || len(world.Delays) == 0 {
		return nil, errors.New("a world without syncs, readings or delays")
	}
	return world, nil
}

// ppm is the demand in millionths at a time.
func (c *curveFile) ppm(now int64) int64 {
	if c == nil {
		return 1_000_000
	}
	if c.Repeat > 0 {
		now %= c.Repeat
	}
	last := 0
	for i, point := range c.Points {
		if point[0] <= now {
			last = i
		}
	}
	from := c.Points[last]
	if last == len(c.Points)-1 {
		return from[1]
	}
	to := c.Points[last+1]
	if to[1] >= from[1] {
		return from[1] + mulDiv(to[1]-from[1], now-from[0], to[0]-from[0])
	}
	// Towards minus infinity: what is taken away is rounded up.
	taken, rest := mulDivRest(from[1]-to[1], now-from[0], to[0]-from[0])
	if rest > 0 {
		taken++
	}
	return from[1] - taken
}

// mulDiv is a × b / c, rounded down. None is negative.
func mulDiv(a, b, c int64) int64 {
	quotient, _ := mulDivRest(a, b, c)
	return quotient
}

// mulDivRest is a × b / c and what is left over. The product has 128 bits.
func mulDivRest(a, b, c int64) (int64, uint64) {
	high, low := bits.Mul64(uint64(a), uint64(b))
	quotient, rest := bits.Div64(high, low, uint64(c)) // panics beyond 64 bits
	if int64(quotient) < 0 {
		panic("an amount beyond 63 bits")
	}
	return int64(quotient), rest
}
