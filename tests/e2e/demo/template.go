package demo

import (
	"fmt"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"kubectl-hpa.local/e2e/cluster"
)

// Template is the smallest pod that an HPA can scale on cpu: one container, a request of 100m.
func Template() *v1.PodTemplateSpec {
	return &v1.PodTemplateSpec{Spec: v1.PodSpec{
		NodeName:   cluster.Node, // there is no scheduler
		Containers: []v1.Container{{Name: "web", Image: "registry.example/web:1", Resources: requests("100m", "128Mi")}},
	}}
}

func requests(cpu, memory string) v1.ResourceRequirements {
	return v1.ResourceRequirements{Requests: v1.ResourceList{
		v1.ResourceCPU: resource.MustParse(cpu), v1.ResourceMemory: resource.MustParse(memory),
	}}
}

// realisticTemplate is a pod as Helm charts and meshes make them: a sidecar, many variables, probes, volumes and
// rules of placement, about 11 KB of JSON once it runs. Its cpu request is 100m in all, as of the small one.
func realisticTemplate() *v1.PodTemplateSpec {
	template := &v1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{Annotations: map[string]string{
			"checksum/config":      "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
			"prometheus.io/scrape": "true", "prometheus.io/port": "9102", "prometheus.io/path": "/metrics",
			"sidecar.example/status": `{"containers":["proxy"],"volumes":["proxy-config","proxy-data"],"revision":"1-24"}`,
		}},
		Spec: v1.PodSpec{
			NodeName:   cluster.Node,
			Containers: []v1.Container{webContainer(), proxyContainer()},
			Volumes:    volumes(),
			Affinity:   affinity(),
		},
	}
	no, user := false, int64(1000)
	template.Spec.SecurityContext = &v1.PodSecurityContext{RunAsUser: &user, RunAsGroup: &user, FSGroup: &user}
	template.Spec.AutomountServiceAccountToken = &no
	return template
}

func webSelector() *metav1.LabelSelector {
	return &metav1.LabelSelector{MatchLabels: map[string]string{"app": name}}
}

func webContainer() v1.Container {
	container := v1.Container{
		Name: "web", Image: "registry.example/shop/web:2.41.3",
		Args:           []string{"--listen=:8080", "--config=/etc/web/config.yaml", "--drain-timeout=25s"},
		Ports:          []v1.ContainerPort{{Name: "http", ContainerPort: 8080}, {Name: "metrics", ContainerPort: 9102}},
		Resources:      requests("80m", "512Mi"),
		LivenessProbe:  probe("/healthz", 8080, 20),
		ReadinessProbe: probe("/readyz", 8080, 5),
		VolumeMounts:   []v1.VolumeMount{{Name: "config", MountPath: "/etc/web", ReadOnly: true}, {Name: "cache", MountPath: "/var/cache/web"}},
		Lifecycle:      &v1.Lifecycle{PreStop: &v1.LifecycleHandler{Exec: &v1.ExecAction{Command: []string{"sleep", "5"}}}},
	}
	container.SecurityContext = restricted()
	for i := range 5 {
		container.Env = append(container.Env, v1.EnvVar{
			Name:  fmt.Sprintf("SHOP_BACKEND_%02d_ENDPOINT", i),
			Value: fmt.Sprintf("http://backend-%02d.shop.svc.cluster.local:8080/api/v%d", i, 1+i%3),
		})
	}
	for _, key := range []string{"username", "password", "host", "port"} {
		container.Env = append(container.Env, v1.EnvVar{Name: "DATABASE_" + key, ValueFrom: &v1.EnvVarSource{
			SecretKeyRef: &v1.SecretKeySelector{LocalObjectReference: v1.LocalObjectReference{Name: "web-database"}, Key: key},
		}})
	}
	container.Env = append(container.Env, fieldEnv("POD_NAME", "metadata.name"), fieldEnv("POD_IP", "status.podIP"))
	return container
}

func proxyContainer() v1.Container {
	return v1.Container{
		Name: "proxy", Image: "registry.example/mesh/proxy:1.24.1",
		Args:           []string{"proxy", "sidecar", "--domain", "shop.svc.cluster.local", "--log-level=warning"},
		Ports:          []v1.ContainerPort{{Name: "proxy-admin", ContainerPort: 15090}},
		Resources:      requests("20m", "64Mi"),
		ReadinessProbe: probe("/healthz/ready", 15021, 3),
		Env: []v1.EnvVar{
			{Name: "MESH_ID", Value: "shop-production"}, {Name: "PROXY_CONCURRENCY", Value: "2"},
			{Name: "TRUST_DOMAIN", Value: "cluster.local"},
			fieldEnv("POD_NAMESPACE", "metadata.namespace"), fieldEnv("SERVICE_ACCOUNT", "spec.serviceAccountName"),
		},
		VolumeMounts:    []v1.VolumeMount{{Name: "proxy-data", MountPath: "/var/lib/proxy"}},
		SecurityContext: restricted(),
	}
}

func probe(path string, port, period int32) *v1.Probe {
	return &v1.Probe{
		ProbeHandler:        v1.ProbeHandler{HTTPGet: &v1.HTTPGetAction{Path: path, Port: intstr.FromInt32(port)}},
		InitialDelaySeconds: 3, PeriodSeconds: period, TimeoutSeconds: 2, FailureThreshold: 5,
	}
}

func fieldEnv(variable, path string) v1.EnvVar {
	return v1.EnvVar{Name: variable, ValueFrom: &v1.EnvVarSource{FieldRef: &v1.ObjectFieldSelector{FieldPath: path}}}
}

func restricted() *v1.SecurityContext {
	yes, no := true, false
	return &v1.SecurityContext{
		AllowPrivilegeEscalation: &no, ReadOnlyRootFilesystem: &yes, RunAsNonRoot: &yes,
		Capabilities: &v1.Capabilities{Drop: []v1.Capability{"ALL"}},
	}
}

func volumes() []v1.Volume {
	return []v1.Volume{
		{Name: "config", VolumeSource: v1.VolumeSource{ConfigMap: &v1.ConfigMapVolumeSource{
			LocalObjectReference: v1.LocalObjectReference{Name: "web-config"},
		}}},
		{Name: "cache", VolumeSource: v1.VolumeSource{EmptyDir: &v1.EmptyDirVolumeSource{}}},
		{Name: "proxy-data", VolumeSource: v1.VolumeSource{EmptyDir: &v1.EmptyDirVolumeSource{Medium: v1.StorageMediumMemory}}},
	}
}

func affinity() *v1.Affinity {
	return &v1.Affinity{
		NodeAffinity: &v1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &v1.NodeSelector{
			NodeSelectorTerms: []v1.NodeSelectorTerm{{MatchExpressions: []v1.NodeSelectorRequirement{
				{Key: v1.LabelArchStable, Operator: v1.NodeSelectorOpIn, Values: []string{"amd64", "arm64"}},
				{Key: "pool", Operator: v1.NodeSelectorOpIn, Values: []string{"general", "burst"}},
			}}},
		}},
		PodAntiAffinity: &v1.PodAntiAffinity{PreferredDuringSchedulingIgnoredDuringExecution: []v1.WeightedPodAffinityTerm{
			{Weight: 100, PodAffinityTerm: v1.PodAffinityTerm{TopologyKey: v1.LabelHostname, LabelSelector: webSelector()}},
			{Weight: 50, PodAffinityTerm: v1.PodAffinityTerm{TopologyKey: v1.LabelTopologyZone, LabelSelector: webSelector()}},
		}},
	}
}
