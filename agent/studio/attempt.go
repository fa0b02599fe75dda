package studio

// attempt is what a critic has judged: the turn as it stood then.
type attempt struct{ state state }

// attemptOf keeps what the next attempt changes in its place.
func attemptOf(s *state) attempt {
	a, prompt := attempt{*s}, *s.Prompt
	a.state.Prompt = &prompt
	return a
}
