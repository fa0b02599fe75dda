package mocks

import "evalctl/mocks/random"

// chunkDice returns the generator of the chunk sizes of a text.
func (c *call) chunkDice(text string) random.Rand {
	return random.Rand{Seed: random.Mix(c.seed, uint64(len(text)))}
}

// nextChunk returns the length of the next chunk in bytes (2 to 5 runes).
func nextChunk(s string, d *random.Rand) int {
	runes := 2 + int(d.Uint64()%4)
	for i := range s {
		if runes == 0 {
			return i
		}
		runes--
	}
	return len(s)
}

func (c *call) chunks(text string) (n int) {
	d := c.chunkDice(text)
	for ; text != ""; n++ {
		text = text[nextChunk(text, &d):]
	}
	return n
}
