package studio

// attempt is the state of a turn at the time when the critic reviewed its image. With it, a second
// judge can score the image again.
type attempt struct{ state state }

// attemptOf copies the state with its prompt, because the next attempt changes the prompt.
func attemptOf(s *state) attempt {
	a, prompt := attempt{*s}, *s.Prompt
	a.state.Prompt = &prompt
	return a
}
