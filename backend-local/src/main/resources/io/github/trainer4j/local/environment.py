# Makes a Python environment in the directory that is the first argument. It sees the packages of the interpreter that
# runs this, also where that one is an environment itself, so that a job which asks for one package keeps all others.
import importlib.util
import os
import site
import sys
import venv

target = sys.argv[1]
# pip comes from the interpreter where it has one: an own copy takes seconds.
with_pip = importlib.util.find_spec("pip") is None
builder = venv.EnvBuilder(system_site_packages=True, symlinks=True, with_pip=with_pip)
builder.create(target)

if sys.prefix != sys.base_prefix or site.ENABLE_USER_SITE:
    parents = [path for path in site.getsitepackages() + [site.getusersitepackages()] if os.path.isdir(path)]
    version = "python%d.%d" % sys.version_info[:2]
    own = os.path.join(target, "lib", version, "site-packages")
    with open(os.path.join(own, "_trainer4j_parent.pth"), "w", encoding="utf-8") as file:
        file.write("".join(path + "\n" for path in parents))
