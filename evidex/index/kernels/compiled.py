"""The way kernels are compiled, `evidex.compiled`, by the name under which kernels of the index know it."""

from evidex.compiled import kernel as kernel
