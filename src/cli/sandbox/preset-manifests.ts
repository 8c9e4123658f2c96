// The manifests of presets: a part of the program, which may be a single file.

export const smallTeam = `# A small team: one network, a web server that everyone may reach, and a database that only the network may.
apiVersion: iac/v1
kind: Vpc
metadata:
  name: team
spec:
  name: team
  description: between the servers of the team
  range: 10.10.0.0/24
---
apiVersion: iac/v1
kind: Instance
metadata:
  name: web
spec:
  type: PLAN
  plan: ryzen-2
  region: fra-1
  vpcs: [team]
  firewall_enabled: true
---
apiVersion: iac/v1
kind: Instance
metadata:
  name: database
spec:
  type: PLAN
  plan: ryzen-4
  region: fra-1
  vpcs: [team]
---
apiVersion: iac/v1
kind: FirewallRule
metadata:
  name: https
spec:
  instance: web
  type: IPv4
  protocol: TCP
  action: ACCEPT
  port_start: 443
  priority: 100
---
apiVersion: iac/v1
kind: FirewallRule
metadata:
  name: ssh
spec:
  instance: web
  type: IPv4
  protocol: TCP
  action: ACCEPT
  port_start: 22
  remote: 203.0.113.0/24
  priority: 90
  description: from the office
`

export const productionLike = `# What runs in earnest: two networks, web servers behind rules, a database, a cluster with a service, an announced prefix.
apiVersion: iac/v1
kind: Vpc
metadata:
  name: frontend
spec:
  name: frontend
  description: between the web servers and what they ask
  range: 10.20.0.0/24
---
apiVersion: iac/v1
kind: Vpc
metadata:
  name: backend
spec:
  name: backend
  description: for the databases alone
  range: 10.20.1.0/24
---
apiVersion: iac/v1
kind: Instance
metadata:
  name: web
  for_each: [one, two, three]
spec:
  type: PLAN
  plan: ryzen-2
  region: fra-1
  vpcs: [frontend]
  firewall_enabled: true
---
apiVersion: iac/v1
kind: Instance
metadata:
  name: database
spec:
  type: PLAN
  plan: ryzen-8
  region: fra-1
  vpcs: [frontend, backend]
---
apiVersion: iac/v1
kind: Instance
metadata:
  name: replica
spec:
  type: PLAN
  plan: ryzen-4
  region: ams-1
---
apiVersion: iac/v1
kind: FirewallRule
metadata:
  name: https
  for_each: [one, two, three]
spec:
  instance: web["\${each.key}"]
  type: IPv4
  protocol: TCP
  action: ACCEPT
  port_start: 443
  priority: 100
---
apiVersion: iac/v1
kind: FirewallRule
metadata:
  name: ssh
  for_each: [one, two, three]
spec:
  instance: web["\${each.key}"]
  type: IPv4
  protocol: TCP
  action: ACCEPT
  port_start: 22
  remote: 203.0.113.0/24
  priority: 90
  description: from the office
---
apiVersion: iac/v1
kind: Instance
metadata:
  name: worker
  for_each: [one, two]
spec:
  type: PLAN
  plan: ryzen-4
  region: fra-1
---
apiVersion: iac/v1
kind: K3sCluster
metadata:
  name: main
spec: {}
---
apiVersion: iac/v1
kind: K3sNode
metadata:
  name: worker
  for_each: [one, two]
spec:
  instance: worker["\${each.key}"]
---
apiVersion: iac/v1
kind: K3sService
metadata:
  name: shop
spec:
  name: shop
  image: registry.example/shop/web:1.4.0
  mode: SPREAD
  target_instances: ['worker["one"]', 'worker["two"]']
  replicas: 2
  ports:
    - { host_port: 8080, container_port: 80, protocol: TCP, http: true }
  environment:
    LOG_LEVEL: info
---
apiVersion: iac/v1
kind: BgpConfiguration
metadata:
  name: main
spec:
  asn: 64512
  instance: database
  max_prefixes: 4
---
apiVersion: iac/v1
kind: BgpPrefix
metadata:
  name: public
spec:
  prefix: 198.51.100.0/24
  source: MANUAL
  enabled: true
  community: DEFAULT
`
