package cache

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"
	"github.com/redis/go-redis/v9/maintnotifications"

	"evalctl/agent/llm"
	"evalctl/agent/outbound"
	"evalctl/agent/secret"
)

// connections are the most that are open to a Redis at once.
const connections = 16

// CheckRedis finds what is no address like redis://user:password@host:port/db, or
// rediss:// over TLS.
func CheckRedis(address string) error {
	_, err := redisOptions(address, Timeout)
	return err
}

func redisOptions(address string, timeout time.Duration) (*redis.Options, error) {
	u, err := url.Parse(address)
	if !strings.Contains(address, "//") && strings.Contains(address, "@") { // where nobody can tell the password
		return nil, errors.New("is no address like redis://user:password@127.0.0.1:6379/0")
	}
	if err != nil || !outbound.HasHost(u) || u.Scheme != "redis" && u.Scheme != "rediss" {
		return nil, fmt.Errorf("%q is no address like redis://user:password@127.0.0.1:6379/0", secret.URL(address))
	}
	if u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("%q: nothing goes behind the number of the database", secret.URL(address))
	}
	options, err := redis.ParseURL(address)
	if err != nil {
		return nil, fmt.Errorf("%q: %s", secret.URL(address), secret.Of("", address).Replace(err.Error()))
	}
	logging.Disable() // what fails is told by errors
	options.Protocol = 2
	options.DialTimeout, options.ReadTimeout, options.WriteTimeout, options.PoolTimeout = timeout, timeout, timeout, timeout
	options.ContextTimeoutEnabled = true
	options.MaxRetries, options.DialerRetries = -1, 1
	options.PoolSize = connections
	options.DisableIdentity = true
	options.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	return options, nil
}

// explain gives what a server says in place of an answer its kind.
func explain(err error) error {
	var said redis.Error
	if !errors.As(err, &said) {
		return err
	}
	word, _, _ := strings.Cut(said.Error(), " ")
	e := &llm.Error{Kind: llm.KindServer, Code: word, Message: said.Error()}
	text := strings.ToLower(said.Error())
	switch {
	case word == "NOAUTH", word == "WRONGPASS", word == "NOPERM", strings.Contains(text, "invalid password"), strings.Contains(text, "without any password"):
		e.Kind = llm.KindAuth
	case word == "ERR" && !strings.Contains(text, "max number of clients"), word == "WRONGTYPE":
		e.Kind = llm.KindBadRequest
	}
	return e
}
