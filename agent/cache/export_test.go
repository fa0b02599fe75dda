package cache

// Names that the tests use.
const (
	DefaultMaxValue = defaultMaxValue
	MaxKey          = maxKey
)
