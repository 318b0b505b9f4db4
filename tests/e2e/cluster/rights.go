package cluster

import (
	"context"

	rbac "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const (
	hpaAccount = "horizontal-pod-autoscaler"
	hpaRole    = "system:controller:horizontal-pod-autoscaler"
	// HPAUser is who the HPA controller is with rights of its own.
	HPAUser = "system:serviceaccount:" + metav1.NamespaceSystem + ":" + hpaAccount
)

// HPARules are the rules that the API server itself made for the HPA controller.
func (c *Cluster) HPARules(ctx context.Context) ([]rbac.PolicyRule, error) {
	role, err := c.Client.RbacV1().ClusterRoles().Get(ctx, hpaRole, metav1.GetOptions{})
	if err != nil {
		return nil, err
	}
	return role.Rules, nil
}

// Disperse takes the HPA controller its rights in all namespaces, so that each namespace may grant its own. (The API server
// grants them again when it starts.)
func (c *Cluster) Disperse(ctx context.Context) error {
	return c.Client.RbacV1().ClusterRoleBindings().Delete(ctx, hpaRole, metav1.DeleteOptions{})
}

// Grant lets the HPA controller do in a namespace what the rules say, and nothing else.
func (c *Cluster) Grant(ctx context.Context, namespace string, rules []rbac.PolicyRule) error {
	role := &rbac.Role{ObjectMeta: metav1.ObjectMeta{Name: hpaRole}, Rules: rules}
	if _, err := c.Client.RbacV1().Roles(namespace).Update(ctx, role, metav1.UpdateOptions{}); err != nil { // it also creates
		return err
	}
	_, err := c.Client.RbacV1().RoleBindings(namespace).Update(ctx, &rbac.RoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: hpaRole},
		RoleRef:    rbac.RoleRef{APIGroup: rbac.GroupName, Kind: "Role", Name: role.Name},
		Subjects:   []rbac.Subject{{Kind: rbac.ServiceAccountKind, Namespace: metav1.NamespaceSystem, Name: hpaAccount}},
	}, metav1.UpdateOptions{})
	return err
}
