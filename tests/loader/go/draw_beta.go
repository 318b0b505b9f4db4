package main

// v2beta2 has the fields of v2, but for the tolerances.
func (d *drawing) v2beta2() map[string]any {
	object := d.v2()
	object["apiVersion"] = "autoscaling/v2beta2"
	if d.oneIn(3) {
		// Annotations stand for nothing there.
		annotations := map[string]any{}
		d.annotate(annotations, "metrics", d.list(d.metricV1))
		d.annotate(annotations, "behavior", d.behaviorV1())
		object["metadata"].(map[string]any)["annotations"] = annotations
	}
	d.observe(object)
	return object
}

// v2beta1 has the metrics of the annotation of v1 as a field, and the behavior in an annotation.
func (d *drawing) v2beta1() map[string]any {
	spec := map[string]any{}
	d.set(spec, "scaleTargetRef", d.reference())
	d.set(spec, "maxReplicas", odd(d, of[int32](d, 1, 5, 10, 100), d.number()))
	if d.oneIn(2) {
		spec["minReplicas"] = odd(d, of[int32](d, 1, 1, 2, 3), d.number())
	}
	if !d.oneIn(6) {
		d.set(spec, "metrics", d.list(d.metricV1))
	}
	metadata := d.metadata()
	annotations := map[string]any{"example.com/note": "kept out"}
	d.annotate(annotations, "metrics", d.list(d.metricV1))
	d.annotate(annotations, "conditions", d.list(d.conditionV1))
	d.annotate(annotations, "behavior", d.behaviorV1())
	d.set(metadata, "annotations", annotations)
	object := map[string]any{"apiVersion": "autoscaling/v2beta1", "kind": "HorizontalPodAutoscaler", "metadata": metadata}
	d.set(object, "spec", spec)
	status := map[string]any{}
	d.set(status, "currentMetrics", d.list(d.statusV1))
	d.set(object, "status", status)
	d.observe(object)
	return object
}

// observe adds what every version tells of its last reconcile.
func (d *drawing) observe(object map[string]any) {
	status, ok := object["status"].(map[string]any)
	if !ok {
		status = map[string]any{}
	}
	d.set(status, "currentReplicas", of(d, 0, 3))
	d.set(status, "desiredReplicas", of(d, 0, 4))
	d.set(status, "conditions", d.list(d.conditionV1))
	object["status"] = status
}
