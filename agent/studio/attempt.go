package studio

// attempt is the state of the turn that a critic reviewed.
type attempt struct{ state state }

// attemptOf copies the state, including the prompt that the next attempt changes.
func attemptOf(s *state) attempt {
	a, prompt := attempt{*s}, *s.Prompt
	a.state.Prompt = &prompt
	return a
}
