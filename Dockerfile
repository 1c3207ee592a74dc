# The packages of this tree on Debian: docker build -t ipusim . && docker run ipusim run configs/runs/quickstart.toml
FROM debian:12 AS build
COPY . /src
WORKDIR /src
RUN .ci/install build parts codelets python package \
    && cmake --preset package && cmake --build --preset package && cpack --preset package

FROM debian:12
COPY --from=build /src/build/package/*.deb /tmp/
RUN apt-get update && apt-get install --yes --no-install-recommends /tmp/*.deb python3-matplotlib \
    && rm -rf /tmp/*.deb /var/lib/apt/lists/*
ENTRYPOINT ["ipusim"]
