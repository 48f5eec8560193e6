"""The tools and resources of foureyes for other programs, over the Model Context Protocol.

`server` speaks the protocol and does nothing else; each call is done by `worker` in a process of
its own, which `processes` starts and ends. `inputs` and `outputs` are what goes in and comes out.
"""
