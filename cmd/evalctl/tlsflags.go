package main

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"evalctl/agent/file"
)

// tlsFlags are the flags with the certificate files for connections between a broker and its
// clients.
type tlsFlags struct{ cert, key, ca string }

// maxPEM is the maximum size of a file with certificates or keys, in bytes.
const maxPEM = 1 << 20

// registerClient adds the TLS flags of a coordinator or worker. more is a prefix of their
// descriptions.
func (f *tlsFlags) registerClient(flags *pflag.FlagSet, more string) {
	flags.StringVar(&f.ca, "tls-ca", "",
		more+"PEM `FILE` with the authority of the broker's certificate (default: the system's)")
	flags.StringVar(&f.cert, "tls-cert", "",
		more+"PEM `FILE` with a client certificate, for a broker that requires one")
	flags.StringVar(&f.key, "tls-key", "", more+"PEM `FILE` with the key of the certificate")
}

func (f *tlsFlags) registerServer(flags *pflag.FlagSet) {
	flags.StringVar(&f.cert, "tls-cert", "", "PEM `FILE` with the certificate: the broker accepts only TLS")
	flags.StringVar(&f.key, "tls-key", "", "PEM `FILE` with its key")
	flags.StringVar(&f.ca, "tls-ca", "", "PEM `FILE` with an authority: clients must have a certificate that it signed")
}

func (f *tlsFlags) isGiven() bool { return *f != tlsFlags{} }

// client returns the TLS configuration of a coordinator or worker, or nil if no flag is given.
func (f *tlsFlags) client() (*tls.Config, error) {
	if !f.isGiven() {
		return nil, nil
	}
	cfg := &tls.Config{MinVersion: tls.VersionTLS12}
	var err error
	if cfg.RootCAs, err = f.pool(); err != nil {
		return nil, err
	}
	cfg.Certificates, err = f.pair()
	return cfg, err
}

// server returns the TLS configuration of a broker, or nil for a broker without TLS.
func (f *tlsFlags) server() (*tls.Config, error) {
	if !f.isGiven() {
		return nil, nil
	}
	if f.cert == "" {
		return nil, flagError("tls-cert", errors.New("is missing: a broker that speaks TLS has a certificate"))
	}
	cfg := &tls.Config{MinVersion: tls.VersionTLS12}
	var err error
	if cfg.Certificates, err = f.pair(); err != nil {
		return nil, err
	}
	if cfg.ClientCAs, err = f.pool(); cfg.ClientCAs != nil {
		cfg.ClientAuth = tls.RequireAndVerifyClientCert
	}
	return cfg, err
}

// pair loads the certificate of --tls-cert with its key. It returns nil if neither is given.
func (f *tlsFlags) pair() ([]tls.Certificate, error) {
	switch {
	case f.cert == "" && f.key == "":
		return nil, nil
	case f.key == "":
		return nil, flagError("tls-key", errors.New("is required with --tls-cert"))
	case f.cert == "":
		return nil, flagError("tls-cert", errors.New("is required with --tls-key"))
	}
	cert, err := file.Read(f.cert, maxPEM)
	if err != nil {
		return nil, flagError("tls-cert", err)
	}
	key, err := file.Read(f.key, maxPEM)
	if err != nil {
		return nil, flagError("tls-key", err)
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return nil, flagError("tls-cert", fmt.Errorf("%s with %s: %w", f.cert, f.key, err))
	}
	return []tls.Certificate{pair}, nil
}

// pool loads the certificate authorities of --tls-ca, or returns nil if none are given.
func (f *tlsFlags) pool() (*x509.CertPool, error) {
	if f.ca == "" {
		return nil, nil
	}
	text, err := file.Read(f.ca, maxPEM)
	if err != nil {
		return nil, flagError("tls-ca", err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		return nil, flagError("tls-ca", fmt.Errorf("%s: contains no PEM certificate", f.ca))
	}
	return pool, nil
}
