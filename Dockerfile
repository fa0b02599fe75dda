# An image with evalctl alone: no shell, no package manager, not root.
#
#   docker build -t evalctl .
#   docker run --rm --user "$(id -u):$(id -g)" -v "$PWD:/data" evalctl run evals/suite.yaml
#
# The container listens on its own loopback address. To reach evalctl serve or view from outside,
# add --addr 0.0.0.0:8080 and -p 127.0.0.1:8080:8080.
FROM golang:1.26.8-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -ldflags '-s -w' -o out/evalctl ./cmd/evalctl
RUN mkdir -m 1777 out/tmp && mkdir out/data

FROM scratch
LABEL org.opencontainers.image.title=evalctl
LABEL org.opencontainers.image.licenses=Apache-2.0
LABEL org.opencontainers.image.source=
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY --from=build /src/LICENSE /LICENSE
COPY --from=build /src/out/evalctl /usr/local/bin/evalctl
COPY --from=build /src/out/tmp /tmp
COPY --from=build --chown=65532:65532 /src/out/data /data
ENV HOME=/data
USER 65532:65532
WORKDIR /data
ENTRYPOINT ["/usr/local/bin/evalctl"]
CMD ["--help"]
