package oracle

import (
	"fmt"
	"net/http"
	goruntime "runtime"
	"strings"
	"time"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/autoscaling"
	_ "k8s.io/kubernetes/pkg/apis/autoscaling/install"
	customv1beta2 "k8s.io/metrics/pkg/apis/custom_metrics/v1beta2"
	externalv1beta1 "k8s.io/metrics/pkg/apis/external_metrics/v1beta1"
	metricsv1beta1 "k8s.io/metrics/pkg/apis/metrics/v1beta1"
	kjson "sigs.k8s.io/json"
)

// raw is a Kubernetes API object as the case holds it: unknown fields in it are ignored.
type raw []byte

func (r *raw) UnmarshalJSON(b []byte) error {
	*r = append((*r)[:0], b...)
	return nil
}

func (r raw) decode(into any) error {
	return kjson.UnmarshalCaseSensitivePreserveInts(r, into)
}

// caseFile is the envelope of a case. An unknown field in it is an error.
type caseFile struct {
	APIVersion      string         `json:"apiVersion"`
	Kind            string         `json:"kind"`
	Metadata        raw            `json:"metadata"`
	At              string         `json:"at"`
	Controller      controllerFile `json:"controller"`
	Memory          *memoryFile    `json:"memory"`
	HPA             raw            `json:"hpa"`
	Scale           *objectFile    `json:"scale"`
	Pods            *itemsFile     `json:"pods"`
	PodMetrics      *itemsFile     `json:"podMetrics"`
	CustomMetrics   []queryFile    `json:"customMetrics"`
	ExternalMetrics []queryFile    `json:"externalMetrics"`
	OtherHPAs       []otherFile    `json:"otherHPAs"`
	OtherHPAsError  raw            `json:"otherHPAsError"` // the reader's alone: the controller has its own list
	Events          *itemsFile     `json:"events"`
	Writes          writesFile     `json:"writes"`
	Expect          raw            `json:"expect"`
}

type setting[T any] struct {
	Value    T      `json:"value"`
	Evidence string `json:"evidence"`
	From     string `json:"from"`
}

// The architecture of a case that names none.
const assumedArchitecture = "amd64"

type controllerFile struct {
	Version                 *setting[string]          `json:"version"`
	Architecture            *setting[string]          `json:"architecture"`
	Tolerance               *setting[float64]         `json:"tolerance"`
	DownscaleStabilization  *setting[string]          `json:"downscaleStabilization"`
	CPUInitializationPeriod *setting[string]          `json:"cpuInitializationPeriod"`
	InitialReadinessDelay   *setting[string]          `json:"initialReadinessDelay"`
	SyncPeriod              *setting[string]          `json:"syncPeriod"`
	FeatureGates            map[string]*setting[bool] `json:"featureGates"`
	Error                   raw                       `json:"error"` // the reader's alone
	// What shows whether it is at work: it is, here.
	Started   raw `json:"started"`
	Lease     raw `json:"lease"`
	Runs      raw `json:"runs"`
	Unelected raw `json:"unelected"`
}

type memoryFile struct {
	Evidence        string               `json:"evidence,omitempty"`
	Recommendations []recommendationFile `json:"recommendations"`
	ScaleUpEvents   []scaleEventFile     `json:"scaleUpEvents"`
	ScaleDownEvents []scaleEventFile     `json:"scaleDownEvents"`
}

type recommendationFile struct {
	Replicas int32  `json:"replicas"`
	At       string `json:"at"`
}

type scaleEventFile struct {
	Change   int32  `json:"change"`
	At       string `json:"at"`
	Outdated bool   `json:"outdated"`
}

type errorFile struct {
	Code    int32  `json:"code"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
	Path    string `json:"path"`
	Scope   string `json:"scope"`
	Stage   string `json:"stage"`
}

type objectFile struct {
	Object raw        `json:"object"`
	Error  *errorFile `json:"error"`
}

type itemsFile struct {
	Items raw        `json:"items"`
	Error *errorFile `json:"error"`
}

type queryFile struct {
	Query struct {
		Metric          autoscalingv2.MetricIdentifier             `json:"metric"`
		DescribedObject *autoscalingv2.CrossVersionObjectReference `json:"describedObject"`
	} `json:"query"`
	Items raw        `json:"items"`
	Error *errorFile `json:"error"`
}

type otherFile struct {
	HPA   raw         `json:"hpa"`
	Scale *objectFile `json:"scale"`
}

type writesFile struct {
	Scale  *answerFile `json:"scale"`
	Status *answerFile `json:"status"`
}

type answerFile struct {
	Error *errorFile `json:"error"`
}

// compiled is a case ready to be put before the controller.
type compiled struct {
	at         time.Time
	minor      string
	settings   settings
	gates      map[string]bool
	memory     memoryFile
	hpa        *autoscalingv2.HorizontalPodAutoscaler
	scale      *autoscalingv1.Scale
	mappingErr error
	scaleErr   error
	pods       []*corev1.Pod
	podsErr    error
	podMetrics *answer[metricsv1beta1.PodMetrics]
	custom     []query[customv1beta2.MetricValue]
	external   []query[externalv1beta1.ExternalMetricValue]
	others     []otherHPA
	putScale   error
	putStatus  error
	// Whether a change adds metrics, so that all that are there may go, and whether they are gone.
	adds, emptied bool
}

type settings struct {
	tolerance                                float64
	downscale, cpuInitialization, readyDelay time.Duration
}

type answer[T any] struct {
	items []T
	err   error
}

type query[T any] struct {
	name     string
	selector string
	object   *autoscalingv2.CrossVersionObjectReference
	answer   answer[T]
}

type otherHPA struct {
	object   *autoscalingv2.HorizontalPodAutoscaler
	selector labels.Selector
}

// compile reads one case and defaults its HPA as the API server does when it reads it. Its error says why the case can't
// be judged.
func compile(line []byte) (*compiled, error) {
	c, err := read(line)
	if err != nil {
		return nil, err
	}
	legacyscheme.Scheme.Default(c.hpa)
	return c, nil
}

// read reads one case. Its HPA is as it was written.
func read(line []byte) (*compiled, error) {
	var file caseFile
	strict, err := kjson.UnmarshalStrict(line, &file)
	if err != nil {
		return nil, err
	}
	if len(strict) > 0 {
		return nil, strict[0]
	}
	if file.APIVersion != "kubectl-hpa/v1" || file.Kind != "Case" {
		return nil, fmt.Errorf("not a kubectl-hpa/v1 Case: %q %q", file.APIVersion, file.Kind)
	}
	c := &compiled{gates: map[string]bool{}}
	for _, step := range []func(*compiled, *caseFile) error{
		(*compiled).readClock, (*compiled).readController, (*compiled).readHPA, (*compiled).readScale,
		(*compiled).readPods, (*compiled).readMetrics, (*compiled).readOthers, (*compiled).readWrites,
	} {
		if err := step(c, &file); err != nil {
			return nil, err
		}
	}
	return c, nil
}

func (c *compiled) readClock(file *caseFile) (err error) {
	if c.at, err = time.Parse(time.RFC3339Nano, file.At); err != nil {
		return fmt.Errorf("at: %w", err)
	}
	if file.Memory != nil {
		c.memory = *file.Memory
	}
	return nil
}

func (c *compiled) readController(file *caseFile) error {
	in := file.Controller
	if in.Version != nil {
		parts := strings.SplitN(strings.TrimPrefix(in.Version.Value, "v"), ".", 3)
		if len(parts) < 2 {
			return fmt.Errorf("controller.version: %q", in.Version.Value)
		}
		c.minor = parts[0] + "." + parts[1]
	}
	architecture := assumedArchitecture
	if in.Architecture != nil {
		architecture = in.Architecture.Value
	}
	if architecture != goruntime.GOARCH {
		return fmt.Errorf("controller.architecture: %q, and this one is built for %q", architecture, goruntime.GOARCH)
	}
	c.settings = settings{0.1, 5 * time.Minute, 5 * time.Minute, 30 * time.Second}
	if in.Tolerance != nil {
		c.settings.tolerance = in.Tolerance.Value
	}
	for _, d := range []struct {
		in  *setting[string]
		out *time.Duration
	}{
		{in.DownscaleStabilization, &c.settings.downscale},
		{in.CPUInitializationPeriod, &c.settings.cpuInitialization},
		{in.InitialReadinessDelay, &c.settings.readyDelay},
	} {
		if d.in == nil {
			continue
		}
		value, err := time.ParseDuration(d.in.Value)
		if err != nil {
			return fmt.Errorf("controller: %w", err)
		}
		*d.out = value
	}
	for name, gate := range in.FeatureGates {
		c.gates[name] = gate.Value
	}
	return nil
}

// readHPA decodes the HPA of either API version.
func (c *compiled) readHPA(file *caseFile) (err error) {
	if c.hpa, err = writtenHPA(file.HPA); err != nil {
		return fmt.Errorf("hpa: %w", err)
	}
	if c.hpa.Namespace == "" || c.hpa.Name == "" {
		return fmt.Errorf("hpa: metadata.namespace and metadata.name are required")
	}
	return nil
}

func decodeHPA(in raw) (*autoscalingv2.HorizontalPodAutoscaler, error) {
	hpa, err := writtenHPA(in)
	if err == nil {
		legacyscheme.Scheme.Default(hpa)
	}
	return hpa, err
}

// writtenHPA is the HPA in v2 before v2's defaults.
func writtenHPA(in raw) (*autoscalingv2.HorizontalPodAutoscaler, error) {
	var kind metav1.TypeMeta
	if err := in.decode(&kind); err != nil {
		return nil, err
	}
	v2 := &autoscalingv2.HorizontalPodAutoscaler{}
	switch kind.APIVersion {
	case "autoscaling/v2":
		if err := in.decode(v2); err != nil {
			return nil, err
		}
	case "autoscaling/v1":
		v1 := &autoscalingv1.HorizontalPodAutoscaler{}
		if err := in.decode(v1); err != nil {
			return nil, err
		}
		legacyscheme.Scheme.Default(v1)
		if err := convertHPA(v1, v2); err != nil {
			return nil, err
		}
	default:
		return nil, fmt.Errorf("unsupported apiVersion %q", kind.APIVersion)
	}
	return v2, nil
}

// convertHPA converts between versions through the internal one, as the API server does.
func convertHPA(from, to runtime.Object) error {
	internal := &autoscaling.HorizontalPodAutoscaler{}
	if err := legacyscheme.Scheme.Convert(from, internal, nil); err != nil {
		return err
	}
	return legacyscheme.Scheme.Convert(internal, to, nil)
}

func (c *compiled) readScale(file *caseFile) error {
	if file.Scale == nil {
		return fmt.Errorf("scale is required")
	}
	failure, err := file.Scale.Error.build()
	switch {
	case err != nil:
		return fmt.Errorf("scale: %w", err)
	case failure != nil && file.Scale.Error.Stage == "Mapping":
		c.mappingErr = failure
	case failure != nil:
		c.scaleErr = failure
	default:
		c.scale = &autoscalingv1.Scale{}
		if err := file.Scale.Object.decode(c.scale); err != nil {
			return fmt.Errorf("scale: %w", err)
		}
	}
	return nil
}

func (c *compiled) readPods(file *caseFile) error {
	read, err := items[corev1.Pod](file.Pods)
	if err != nil {
		return fmt.Errorf("pods: %w", err)
	}
	if read == nil {
		return nil
	}
	c.podsErr = read.err
	for i := range read.items {
		pod := &read.items[i]
		if pod.Namespace == "" {
			pod.Namespace = c.hpa.Namespace
		}
		c.pods = append(c.pods, pod)
	}
	return nil
}

func (c *compiled) readMetrics(file *caseFile) (err error) {
	if c.podMetrics, err = items[metricsv1beta1.PodMetrics](file.PodMetrics); err != nil {
		return fmt.Errorf("podMetrics: %w", err)
	}
	if c.custom, err = queries[customv1beta2.MetricValue](file.CustomMetrics); err != nil {
		return fmt.Errorf("customMetrics: %w", err)
	}
	if c.external, err = queries[externalv1beta1.ExternalMetricValue](file.ExternalMetrics); err != nil {
		return fmt.Errorf("externalMetrics: %w", err)
	}
	return nil
}

func (c *compiled) readOthers(file *caseFile) error {
	for _, in := range file.OtherHPAs {
		// Only the name counts: such an object need not be a complete HPA.
		object := &metav1.PartialObjectMetadata{}
		if err := in.HPA.decode(object); err != nil {
			return fmt.Errorf("otherHPAs: %w", err)
		}
		hpa := &autoscalingv2.HorizontalPodAutoscaler{}
		hpa.Namespace, hpa.Name = object.Namespace, object.Name
		if hpa.Namespace == "" {
			hpa.Namespace = c.hpa.Namespace
		}
		c.others = append(c.others, otherHPA{hpa, rememberedSelector(in.Scale)})
	}
	return nil
}

// rememberedSelector is what the controller has kept of another HPA: nothing, unless its selector could be read.
func rememberedSelector(in *objectFile) labels.Selector {
	scale := &autoscalingv1.Scale{}
	if in == nil || in.Error != nil || in.Object.decode(scale) != nil || scale.Status.Selector == "" {
		return labels.Nothing()
	}
	selector, err := labels.Parse(scale.Status.Selector)
	if err != nil {
		return labels.Nothing()
	}
	return selector
}

func (c *compiled) readWrites(file *caseFile) (err error) {
	for _, w := range []struct {
		in  *answerFile
		out *error
	}{{file.Writes.Scale, &c.putScale}, {file.Writes.Status, &c.putStatus}} {
		if w.in == nil {
			continue
		}
		if *w.out, err = w.in.Error.build(); err != nil {
			return fmt.Errorf("writes: %w", err)
		}
	}
	if apierrors.IsConflict(c.putScale) {
		return fmt.Errorf("writes.scale: a conflict is retried with a random delay and can't be judged")
	}
	return nil
}

// build makes the error that the controller sees. Its text is the message, unchanged.
func (e *errorFile) build() (error, error) {
	if e == nil {
		return nil, nil
	}
	if e.Scope != "" && e.Scope != "Everyone" {
		return nil, fmt.Errorf("an error of scope %s says nothing about what the controller saw", e.Scope)
	}
	code := e.Code
	if code == 0 {
		code = http.StatusInternalServerError
	}
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: code, Reason: metav1.StatusReason(e.Reason), Message: e.Message,
	}}, nil
}

func items[T any](file *itemsFile) (*answer[T], error) {
	if file == nil {
		return nil, nil
	}
	return readAnswer[T](file.Items, file.Error)
}

func readAnswer[T any](in raw, failure *errorFile) (*answer[T], error) {
	out := &answer[T]{}
	var err error
	if out.err, err = failure.build(); err != nil || out.err != nil || len(in) == 0 {
		return out, err
	}
	return out, in.decode(&out.items)
}

func queries[T any](files []queryFile) ([]query[T], error) {
	var out []query[T]
	for i := range files {
		in := &files[i]
		read, err := readAnswer[T](in.Items, in.Error)
		if err != nil {
			return nil, err
		}
		// The controller fails on an invalid selector itself and never asks: no question has an error's text.
		selector, err := metav1.LabelSelectorAsSelector(in.Query.Metric.Selector)
		text := fmt.Sprint(err)
		if err == nil {
			text = selector.String()
		}
		out = append(out, query[T]{in.Query.Metric.Name, text, in.Query.DescribedObject, *read})
	}
	return out, nil
}
