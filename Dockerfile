# lint and audit in a container: docker build -t kaiactl . && docker run --rm -i --network none kaiactl node lint - < kend.conf
FROM node:24-slim AS build
WORKDIR /src
COPY . .
RUN npm pack --pack-destination /

FROM node:24-slim
COPY --from=build /kaiactl-*.tgz /tmp/kaiactl.tgz
RUN npm install --global --omit=optional --no-audit --no-fund /tmp/kaiactl.tgz && npm cache clean --force
USER 1000
WORKDIR /work
ENTRYPOINT ["kaiactl"]
CMD ["--help"]
