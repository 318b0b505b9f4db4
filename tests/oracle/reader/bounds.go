package reader

var boundChecks = map[string]check{
	"above-max": func(l *look, v *values) {
		v.is("replicas", int64(l.w.current()))
		v.is("maxReplicas", int64(l.w.max()))
		if l.w.current() <= l.w.max() {
			v.fault("%d is not more than %d", l.w.current(), l.w.max())
		}
	},
	"below-min": func(l *look, v *values) {
		v.is("replicas", int64(l.w.current()))
		v.is("minReplicas", int64(l.w.min()))
		if l.w.current() >= l.w.min() {
			v.fault("%d is not fewer than %d", l.w.current(), l.w.min())
		}
	},
	"bounds-first": func(l *look, v *values) {
		bound := l.w.max()
		if l.w.current() < l.w.min() {
			bound = l.w.min()
		}
		if l.desired() != bound {
			v.fault("the real controller sets %d", l.desired())
		}
		if n := len(l.real.Status.CurrentMetrics); n > 0 && l.real.Rescaled {
			v.fault("the real status shows %d metrics", n)
		}
	},
}
