package page

import "evalctl/eval"

// Unexported names that the tests use.

// Many sets the number of trials above which columns are brief.
func (p *Packer) Many(n int64) { p.briefAbove = n }

// Tiers is the number of tiers into which trials are divided by importance.
const Tiers = tiers

// TrialOf converts a result to a trial with its trace and all messages that were sent.
func TrialOf(r eval.Result, condition int) Trial { return trialOf(r, condition, allMessages) }
