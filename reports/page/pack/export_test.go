package pack

// Many sets from how many trials on columns are brief.
func (p *Packer) Many(n int64) { p.many = n }

// Tiers are how many there are.
const Tiers = tiers

// TrialOf is what is packed of a trial.
var TrialOf = trialOf
