package scholar

import "context"

// checkDocuments is a node: without documents the intent is always conversation, for any mode in
// the request.
func (r *run) checkDocuments(ctx context.Context) error {
	if len(r.docs) > 0 {
		return nil
	}
	if r.mode != "" && r.mode != simpleInteraction {
		traceIgnored(ctx, checkNode, "options.mode_type", r.mode, simpleInteraction, "no_documents")
	}
	r.setDecision(ctx, simpleInteraction, byGuard, "no_documents", nil)
	return nil
}
