package mocks

import "evalctl/mocks/random"

// chunkDice decides the sizes of the chunks of a text.
func (c *call) chunkDice(text string) random.Rand {
	return random.Rand{Seed: random.Mix(c.seed, uint64(len(text)))}
}

// nextChunk is the length in bytes of the next chunk, 2 to 5 runes.
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

// chunks counts the chunks of a text.
func (c *call) chunks(text string) (n int) {
	d := c.chunkDice(text)
	for ; text != ""; n++ {
		text = text[nextChunk(text, &d):]
	}
	return n
}
