package pack

// Many sets the number of trials above which columns are brief.
func (p *Packer) Many(n int64) { p.briefAbove = n }

// Tiers is the number of tiers.
const Tiers = tiers

// TrialOf exports trialOf.
var TrialOf = trialOf
