package scholar

import "context"

// checkDocuments is a node: without a document there is nothing but conversation,
// whatever mode the request names.
func (r *run) checkDocuments(ctx context.Context) error {
	if len(r.docs) > 0 {
		return nil
	}
	if r.mode != "" && r.mode != simpleInteraction {
		unused(ctx, checkNode, "options.mode_type", r.mode, simpleInteraction, "no_documents")
	}
	r.decided(ctx, simpleInteraction, byGate, "no_documents", nil)
	return nil
}
