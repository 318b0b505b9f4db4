package oracle

import (
	"runtime"
	"time"
)

func (s *sequence) drawController() {
	d := s.dice
	s.tolerance, s.downscale, s.initialization, s.readiness = 0.1, 5*time.Minute, 5*time.Minute, 30*time.Second
	s.controller = object{"version": object{"value": "v" + s.patch}}
	if runtime.GOARCH != assumedArchitecture {
		s.controller["architecture"] = object{"value": runtime.GOARCH}
	}
	if d.chance(25) {
		s.tolerance = pick[float64](d, 0, 0.05, 0.2, 0.01, 0.15, 0.3333333333333333, 0.057, 0.9, 1, 1.5)
		s.controller["tolerance"] = object{"value": s.tolerance}
	}
	for _, setting := range []struct {
		name string
		into *time.Duration
		from []time.Duration
	}{
		{"downscaleStabilization", &s.downscale, []time.Duration{0, time.Second, 30 * time.Second, 90500 * time.Millisecond, 10 * time.Minute}},
		{"cpuInitializationPeriod", &s.initialization, []time.Duration{0, time.Minute, 2 * time.Minute, 10*time.Minute + time.Nanosecond}},
		{"initialReadinessDelay", &s.readiness, []time.Duration{0, 10 * time.Second, 5 * time.Minute}},
	} {
		if s.aimed(aimEmpty, 30) {
			*setting.into = 0
			s.controller[setting.name] = object{"value": "0s"}
		} else if d.chance(15) {
			*setting.into = pick(d, setting.from...)
			s.controller[setting.name] = object{"value": setting.into.String()}
		}
	}
	s.drawGates()
}

func (s *sequence) drawGates() {
	d := s.dice
	s.gates = map[string]bool{}
	minor := s.minor()
	names := []string{"HPAScaleToZero", "PodLevelResources", "HPAConfigurableTolerance"}
	switch {
	case minor >= 37:
		names = []string{"HPAScaleToZero", "PodLevelResources", "HPAGeneration", selectorGate}
	case minor == 32:
		names = names[:2]
	case minor == 30, minor == 31:
		names = names[:1]
	case minor < 30:
		names = []string{"HPAScaleToZero", "HPAContainerMetrics"}
	}
	for _, name := range names {
		if d.chance(12) {
			s.gates[name] = d.chance(50)
		}
	}
	if minor < 37 && d.chance(30) {
		s.gates["HPAScaleToZero"] = true
	}
	if 33 <= minor && minor <= 34 && d.chance(50) {
		s.gates["HPAConfigurableTolerance"] = true
	}
	value, given := s.gates["PodLevelResources"]
	s.podLevel = minor >= 34 && (value || !given)
	if len(s.gates) == 0 {
		return
	}
	gates := object{}
	for name, value := range s.gates {
		gates[name] = object{"value": value}
	}
	s.controller["featureGates"] = gates
}
