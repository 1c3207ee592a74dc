# SPDX-License-Identifier: Apache-2.0
"""Small tables and results, as ipusim writes them, that the tests of the figures draw."""

STEPS = """step,name,kind,iterations,cycles,mean_cycles
0,a/sync,sync,1,500,20
1,"a, b/Exchange",exchange,1,100,90
2,mul,compute,10,4000,3000
3,keep,copy,1,0,0
"""

SWEEP_HEADER = (
    "workload.n,status,machine.tiles,machine.total_sram_bytes,memory.capacity_tile_bytes,"
    "memory.max_tile_bytes,memory.by_category.variables,memory.by_category.stack,"
    "memory.total_including_gaps_bytes\n"
)
SWEEP = SWEEP_HEADER + "1,ok,2,200,100,40,60,10,75\n2,does_not_fit,2,200,100,120,200,10,260\n4,\"invalid: n\",,,,,,,\n"
WIDE_SWEEP = SWEEP_HEADER + "1,ok,2,200,100,4,4,1,9\n512,does_not_fit,2,200,100,1200,2000,0,2600\n"

SKEW = """machine,workload.m,workload.k,workload.type,status,machine.name,work.gflops_per_second
a,1,4,float,ok,a,10
a,1,4,half,ok,a,20
a,2,2,float,ok,a,11
a,2,2,half,does_not_fit,a,21
a,4,1,float,ok,a,12
a,4,1,half,invalid: k,,
"""

EXCHANGE = """workload.to,workload.bytes,status,machine.name,time.seconds
1,4,ok,a,1e-7
1,8,does_not_fit,a,2e-7
644,4,ok,a,1e-7
644,8,ok,a,2e-7
"""

STUDY_HEADER = (
    "workload.variant,workload.n,workload.m,workload.k,status,machine.name,graph.variables,"
    "graph.vertices,graph.edges,graph.compute_sets,machine.total_sram_bytes,memory.total_bytes,"
    "memory.by_category.variables,memory.by_category.stack\n"
)
STUDY = (
    STUDY_HEADER + "naive,64,64,64,ok,a,3,10,20,1,200,60,50,10\n"
    "naive,4096,4096,4096,does_not_fit,a,3,1000,2000,1,200,300,290,10\n"
    "poplin,64,64,64,ok,a,4,5,6,2,200,50,40,10\n"
    "poplin,128,128,128,\"invalid: n\",,,,,,,,,\n"
)


VALIDATION = """{"rows": [
{"id": "A-1", "kind": "product, GPU", "published": 2.0, "predicted": 2.1, "role": "calibrate"},
{"id": "A-2", "kind": "product", "published": 4.0, "predicted": 3.0, "role": "validate"},
{"id": "B-1", "kind": "product", "published": 4.0, "predicted": null, "role": "validate"}]}
"""

GRID = """machine.tiles,workload.n,status,machine.name,time.seconds,memory.max_tile_bytes,memory.capacity_tile_bytes
2,64,ok,a,1e-6,10,90
2,128,does_not_fit,a,2e-6,100,90
4,64,ok,a,5e-7,5,50
4,128,"invalid: n",,,,
"""

FRONT = "x,y,status\n1,9,ok\n4,2,ok\n"
GROWTH = "generation,points,front_points,hypervolume\n0,8,2,0.5\n1,16,3,0.75\n"

LAYERS = """workload.features,workload.lowering,status,machine.total_sram_bytes,memory.total_bytes,time.seconds,graph.compute_sets,dense.fits,dense.seconds,dense.total_bytes,dense.graph.compute_sets,compare.a30.seconds
32,framework,ok,900,10,2e-6,6,True,1e-6,9,3,1e-3
64,framework,does_not_fit,900,1000,4e-6,8,True,3e-6,20,3,1e-3
32,fused,ok,900,8,1e-6,4,True,1e-6,9,3,
64,fused,ok,900,80,2e-6,5,False,3e-6,20,3,
"""

CODED_HEADER = ("workload.compress.codec,workload.batch,machine.streaming_bytes_per_second,status,machine.name,"
                "step.samples_per_second\n")
CODED = (
    CODED_HEADER + "none,8,10,ok,a,100\nnone,8,40,ok,a,400\nnone,16,10,ok,a,100\nnone,16,40,ok,a,500\n"
    "float8,8,10,ok,a,200\nfloat8,8,40,ok,a,300\nfloat8,16,10,ok,a,300\nfloat8,16,40,ok,a,450\n"
)

VARIABLES = """name,type,elements,shape,lifetime,first_step,last_step,total_bytes,max_tile_bytes,max_tile
w,float,4,4,always,,,16,16,0
relu1/Out,float,8,8,temporary,0,1,32,32,0
relu1/encode/words,float,2,2,temporary,1,3,8,8,0
relu1/decode/x,float,8,8,temporary,3,3,32,32,0
relu1/gradient/Out,float,8,8,temporary,3,3,32,32,0
"""
TIMED_STEPS = """step,name,kind,start_cycles,end_cycles
0,a,compute,0,10
1,b,exchange,10,30
2,c,compute,30,35
3,d,compute,35,60
"""

RATES = """workload.shape,workload.form,status,machine.name,compression.plain_saved_bytes,compression.ratio,\
compression.encode_bytes_per_second,compression.decode_bytes_per_second
"[1, 8, 8]",dense,ok,a,256,4,1e9,2e9
"[2, 8, 8]",dense,does_not_fit,a,512,4,2e9,3e9
"[1, 8, 8]",fused,ok,a,256,4,3e9,2e9
"[2, 8, 8]",fused,ok,a,512,4,4e9,4e9
"""

CURVES = "codec,seed,step,loss\n" + "".join(
    f"{codec},{seed},{step},{1.5 / (step + seed)}\n"
    for codec in ("none", "float8") for seed in (1, 2) for step in range(20))

SCALING = """status,parallel.ipus,step.seconds,step.samples_per_second,step.work_seconds,step.imbalance_seconds,step.fill_seconds,step.boundaries_seconds,step.collectives_seconds,step.update_seconds,step.host_seconds
does_not_fit,1,8,1,8,0,0,0,0,0,0
ok,2,4,2,3,0,0,0,0.5,0.5,0
ok,4,2.5,3.2,1.5,0,0,0,0.5,0.5,0
"""


RESULT = """{"config": {"workload": {"kind": "matmul", "m": 4}}, "machine": {"name": "toy"},
"memory": {"always_live_bytes": 40, "capacity_tile_bytes": 90, "max_tile": 1, "by_category": {"variables": 50, "stack": 0}}}"""
LIVENESS = "position,name,live_bytes,max_tile_live_bytes\n0,a,8,4\n1,b,24,9\n2,c,0,0\n"
TILES = """tile,total_bytes,including_gaps_bytes,always_live_bytes,sync_cycles
0,10,20,4,5
1,30,44,20,0
2,0,0,0,9
"""
JOULES = """workload.in,status,machine.name,time.seconds,energy.joules,energy.low_joules,energy.high_joules,energy.joules_draws
32,ok,a,1e-6,1e-4,9e-5,1.2e-4,1e-4 1.1e-4 9e-5
64,ok,a,2e-6,2e-4,1.8e-4,2.4e-4,2e-4 2.2e-4 1.8e-4
128,does_not_fit,a,4e-6,,,,
"""
DENSE = """workload.in,workload.out,status,machine.name,compare.a30.seconds,compare.a30_tf32.seconds
32,32,ok,a,1e-3,9e-4
64,64,ok,a,2e-3,1e-3
"""
