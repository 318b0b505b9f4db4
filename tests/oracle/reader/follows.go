package reader

import (
	"math"
)

// follows holds what follows from a ratio: of a reading, or after filling in. Before filling in only the ratio is said.
func (l *look) follows(v *values, p *proposal, ratio float64, between bool) {
	kind := v.str("kind")
	switch kind {
	case "on-target":
		if ratio != 1 {
			v.fault("the ratio is %v", ratio)
		}
	case "within":
		l.insideTolerance(v, p, ratio)
	case "no-ratio":
		if !math.IsNaN(ratio) || !p.kept {
			v.fault("the ratio is %v", ratio)
		}
		l.keeps(v, p)
	case "ratio":
		v.near("ratio", ratio)
		if v.has("tendency") {
			l.tends(v, p, ratio)
		}
	default:
		if between {
			v.fault("pods are filled in, and the ratio before leads to %s", kind)
		}
		l.leadsTo(v, kind, p, ratio)
	}
}

// tends holds the direction of a ratio, which is left untold where the proposal goes the other way.
func (l *look) tends(v *values, p *proposal, ratio float64) {
	tendency, current := v.str("tendency"), l.w.current()
	more, fewer := p.replicas >= current || p.replicas < 0, p.replicas <= current
	ok := map[string]bool{"more": ratio > 1 && more, "fewer": ratio < 1 && fewer, "on-target": ratio == 1, "untold": true}[tendency]
	if !ok {
		v.fault("%q is no tendency of a ratio of %v that leads to %d", tendency, ratio, p.replicas)
	}
}

func (l *look) insideTolerance(v *values, p *proposal, ratio float64) {
	if v.has("ratio") {
		v.near("ratio", ratio)
	}
	down, up, _, _ := l.w.tolerances()
	v.near("lowest", 1-down)
	v.near("highest", 1+up)
	l.whoseTolerance(v, ratio)
	if !l.w.within(ratio) {
		v.fault("%v is outside", ratio)
	}
	l.keeps(v, p)
}

// keeps holds the replicas of the status that a proposal keeps, if those are not the current ones.
func (l *look) keeps(v *values, p *proposal) {
	if v.has("keeps") {
		v.is("keeps", int64(p.replicas))
	} else if p.replicas != l.w.current() {
		v.fault("the proposal is %d, not the current replicas", p.replicas)
	}
}

// whoseTolerance holds the name of the tolerance that keeps the replicas.
func (l *look) whoseTolerance(v *values, ratio float64) {
	_, _, ownDown, ownUp := l.w.tolerances()
	want := "the controller's tolerance"
	switch {
	case ratio > 1 && ownUp:
		want = "scaleUp.tolerance"
	case ratio < 1 && ownDown:
		want = "scaleDown.tolerance"
	case ratio == 1 && (ownDown || ownUp):
		v.str("tolerance")
		return
	}
	v.text("tolerance", want)
}

func (l *look) leadsTo(v *values, kind string, p *proposal, ratio float64) {
	current, proposed := int64(l.w.current()), int64(p.replicas)
	ok := false
	if v.has("ready") {
		v.is("ready", int64(p.multiply))
		if p.kind != "value" || current == 0 || int64(p.multiply) == current {
			v.fault("%s is not multiplied by other pods than the replicas", p.kind)
		}
	}
	switch kind {
	case "more":
		v.is("replicas", proposed)
		ok = proposed > current
	case "fewer":
		v.is("replicas", proposed)
		ok = proposed < current && proposed > 0
	case "just-right":
		v.is("replicas", proposed)
		pods := p.multiply
		if p.filled {
			pods = p.counted
		}
		if v.has("counted") {
			v.is("counted", int64(pods))
		} else if p.kind != "average" && int64(pods) != current {
			v.fault("it is multiplied by %d pods", pods)
		}
		ok = proposed == current
	case "rounded-up":
		v.is("replicas", proposed)
		exact := l.exact(p, ratio)
		v.near("exact", exact)
		ok = proposed == current && int64(math.Ceil(exact)) == proposed
	case "none-needed":
		ok = proposed == 0
	case "negative":
		v.is("replicas", proposed)
		ok = proposed < 0
	default:
		v.fault("unknown then %q", kind)
		return
	}
	if !ok {
		v.fault("%s: the proposal is %d, the replicas %d", kind, proposed, current)
	}
}

// exact is the count before it is rounded up.
func (l *look) exact(p *proposal, ratio float64) float64 {
	switch {
	case p.filled:
		return ratio * float64(p.counted)
	case p.kind == "average":
		return float64(p.value) / float64(p.target)
	case l.w.current() == 0 && p.kind == "value":
		return ratio
	}
	return ratio * float64(p.multiply)
}
