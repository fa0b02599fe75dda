package scholar

import "context"

// checkDocuments is the node that sets the intent of turns without documents. It is always
// conversation, even if the request sets another mode.
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
