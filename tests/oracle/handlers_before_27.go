//go:build before_27

package oracle

// added hands an HPA to the controller's own handlers.
func (i *hpaInformer) added(object any) { i.handlers.OnAdd(object) }
