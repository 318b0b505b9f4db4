package demo

import (
	"context"
	"time"

	apps "k8s.io/api/apps/v1"
	autoscaling "k8s.io/api/autoscaling/v2"
	v1 "k8s.io/api/core/v1"
	rbac "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"

	"kubectl-hpa.local/e2e/cluster"
)

// Namespace and name of the demo's Deployment and HPA.
const (
	Namespace = "shop"
	name      = "web"
)

func create(ctx context.Context, client kubernetes.Interface, pods int, realistic bool) error {
	namespace := &v1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: Namespace}}
	if _, err := client.CoreV1().Namespaces().Create(ctx, namespace, metav1.CreateOptions{}); err != nil {
		return err
	}
	if err := grant(ctx, client); err != nil {
		return err
	}
	spec := Template()
	if realistic {
		spec = realisticTemplate()
	}
	replicas, labels := int32(pods), map[string]string{"app": name}
	spec.Labels = labels
	_, err := client.AppsV1().Deployments(Namespace).Create(ctx, &apps.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: apps.DeploymentSpec{
			Replicas: &replicas, Selector: &metav1.LabelSelector{MatchLabels: labels}, Template: *spec,
		},
	}, metav1.CreateOptions{})
	return err
}

// grant lets the viewer see the HPAs and nothing else.
func grant(ctx context.Context, client kubernetes.Interface) error {
	role := &rbac.Role{
		ObjectMeta: metav1.ObjectMeta{Name: "hpa-viewer"},
		Rules: []rbac.PolicyRule{{
			APIGroups: []string{"autoscaling"}, Resources: []string{"horizontalpodautoscalers"}, Verbs: []string{"get"},
		}},
	}
	if _, err := client.RbacV1().Roles(Namespace).Create(ctx, role, metav1.CreateOptions{}); err != nil {
		return err
	}
	_, err := client.RbacV1().RoleBindings(Namespace).Create(ctx, &rbac.RoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: "hpa-viewer"},
		Subjects:   []rbac.Subject{{Kind: rbac.UserKind, Name: cluster.Viewer, APIGroup: rbac.GroupName}},
		RoleRef:    rbac.RoleRef{Kind: "Role", Name: "hpa-viewer", APIGroup: rbac.GroupName},
	}, metav1.CreateOptions{})
	return err
}

func ready(ctx context.Context, client kubernetes.Interface, pods int) error {
	return wait.PollUntilContextCancel(ctx, 250*time.Millisecond, false, func(ctx context.Context) (bool, error) {
		deployment, err := client.AppsV1().Deployments(Namespace).Get(ctx, name, metav1.GetOptions{})
		return err == nil && deployment.Status.ReadyReplicas == int32(pods), err
	})
}

// autoscale creates the HPA: half of the cpu request, between one pod and twice (at least ten) as many as there are.
func autoscale(ctx context.Context, client kubernetes.Interface, pods int) error {
	target := int32(50)
	_, err := client.AutoscalingV2().HorizontalPodAutoscalers(Namespace).Create(ctx, &autoscaling.HorizontalPodAutoscaler{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: autoscaling.HorizontalPodAutoscalerSpec{
			ScaleTargetRef: autoscaling.CrossVersionObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Name: name},
			MaxReplicas:    int32(max(10, 2*pods)),
			Metrics: []autoscaling.MetricSpec{{
				Type: autoscaling.ResourceMetricSourceType,
				Resource: &autoscaling.ResourceMetricSource{
					Name:   v1.ResourceCPU,
					Target: autoscaling.MetricTarget{Type: autoscaling.UtilizationMetricType, AverageUtilization: &target},
				},
			}},
		},
	}, metav1.CreateOptions{})
	return err
}
