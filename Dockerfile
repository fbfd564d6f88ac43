# Coffer in a container: the release made from this folder, run by a user without rights on a root that nobody writes to.
# Both bases can be named: the first needs Node 20 or newer with npm, the second glibc 2.28 or newer with libstdc++.
ARG BUILD_IMAGE=docker.io/library/node:24-bookworm-slim
ARG RUN_IMAGE=docker.io/library/debian:bookworm-slim

FROM ${BUILD_IMAGE} AS build
# Seconds since 1970 that every file of the release bears; now unless given, for the history is not in the build.
ARG SOURCE_DATE_EPOCH
WORKDIR /src
# Packages by themselves: they are installed again only when the lockfile changes.
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run release \
  && mkdir /opt/coffer \
  && tar -xzf dist/release/coffer-*.tar.gz --strip-components=1 -C /opt/coffer

FROM ${RUN_IMAGE}
COPY --from=build /opt/coffer /opt/coffer
RUN install -d -o 10001 -g 10001 -m 0700 /data
USER 10001:10001
ENV HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /data
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["/opt/coffer/node/node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/opt/coffer/coffer"]
