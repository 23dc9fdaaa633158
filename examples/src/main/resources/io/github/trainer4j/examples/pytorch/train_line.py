"""Two nodes learn y = 3x + 1 together: each has half of the data, gradients are averaged by gloo."""

import json
import os

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
rank, world = dist.get_rank(), dist.get_world_size()

torch.manual_seed(7)
x = torch.rand(1000, 1)
y = 3 * x + 1 + 0.01 * torch.randn(1000, 1)
x, y = x[rank::world], y[rank::world]

model = torch.nn.Linear(1, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
for epoch in range(200):
    optimizer.zero_grad()
    loss = torch.nn.functional.mse_loss(model(x), y)
    loss.backward()
    for parameter in model.parameters():
        dist.all_reduce(parameter.grad)
        parameter.grad /= world
    optimizer.step()

print(f"rank {rank} of {world}: y = {model.weight.item():.2f} x + {model.bias.item():.2f}")
if rank == 0:
    output = os.path.join(os.environ["TRAINJOB_WORKSPACE"], "line.json")
    with open(output, "w") as file:
        json.dump({"weight": model.weight.item(), "bias": model.bias.item()}, file)
dist.destroy_process_group()
