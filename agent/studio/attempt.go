package studio

// attempt is the state of a turn when a critic reviewed its image. A second judge can score it
// again.
type attempt struct{ state state }

// attemptOf copies the state with its prompt, because the next attempt changes the prompt.
func attemptOf(s *state) attempt {
	a, prompt := attempt{*s}, *s.Prompt
	a.state.Prompt = &prompt
	return a
}
